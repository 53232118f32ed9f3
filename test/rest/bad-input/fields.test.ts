import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { named, openTarget, POSTGRES_WORDS, refusalOf, type Target } from "./cases.ts";
import { badValuesOf, kinds } from "./values.ts";

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterEach(() => target.expectUntouched());
afterAll(() => target.building.close());

const unknownFields = [
  ...[
    "id",
    "ID",
    "created_at",
    "owner_id ",
    "spot-number",
    "Spot_number",
    "is_claimed",
    "claimer_id",
  ],
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "$ref", "0", "", " "],
  ...["ключ", "' or 1=1 --", "\u0000", "a\nb"],
];

describe.each(named(({ body }) => body !== undefined))("the body of %s", (_name, route) => {
  const fields = Object.keys(route.body?.properties ?? {});
  const required = route.body?.required ?? [];

  it.each(fields)("is refused for a bad %s, and names it", async (field) => {
    const good = target.fieldsOf(route);
    const nullIsGood = route.body?.properties[field]?.nullable === true;
    const values = [...badValuesOf(kinds[field]), ...(nullIsGood ? [] : [null])];
    const refusals = await Promise.all(
      values.map(async (value) => {
        const answer = await target.send(route, { body: { ...good, [field]: value } });
        expect(JSON.stringify(answer.body)).not.toMatch(POSTGRES_WORDS);
        return { value, ...refusalOf(answer) };
      }),
    );
    expect(refusals).toEqual(values.map((value) => ({ value, status: 400, fields: [field] })));
  });

  it("is refused for every bad field at once, and names each of them", async () => {
    const bad = Object.fromEntries(fields.map((field) => [field, {}]));
    const { status, fields: refused } = refusalOf(await target.send(route, { body: bad }));
    expect({ status, refused: refused.toSorted() }).toEqual({
      status: 400,
      refused: fields.toSorted(),
    });
  });

  it("is refused where a required field is missing", async () => {
    for (const field of required) {
      const { [field]: _left, ...body } = target.fieldsOf(route);
      expect(refusalOf(await target.send(route, { body }))).toEqual({
        status: 400,
        fields: [field],
      });
    }
  });

  it("is refused for a field that it does not have, and names it", async () => {
    const known = JSON.stringify(target.fieldsOf(route)).slice(1, -1);
    const refusals = await Promise.all(
      unknownFields.map(async (field) => {
        const body = `{${known},${JSON.stringify(field)}:{"is_admin":true}}`;
        return refusalOf(await target.send(route, { body }));
      }),
    );
    expect(refusals).toEqual(unknownFields.map((field) => ({ status: 400, fields: [field] })));
  });

  it("is refused for a thousand fields that it does not have, with a short answer", async () => {
    const body = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`field_${i}`, i]));
    const answer = await target.send(route, { body });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body).length).toBeLessThan(5000);
  });

  it("is refused where it is not an object", async () => {
    const bodies = ["[]", "[{}]", '"text"', "1", "1e400", "true", "null"];
    const answers = await Promise.all(bodies.map((body) => target.send(route, { body })));
    expect(answers).toMatchObject(
      bodies.map(() => ({ status: 400, body: { error: expect.any(String) } })),
    );
  });
});
