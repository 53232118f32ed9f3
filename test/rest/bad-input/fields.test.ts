import { describe, expect, it } from "@jest/globals";
import type { Route } from "../../../src/contract/route.ts";
import { holdsForAll } from "../../support/table.ts";
import { POSTGRES_WORDS, refusalOf, routesByToken, useTarget } from "./cases.ts";
import { badValuesOf, kinds } from "./values.ts";

const target = useTarget();

const unknownFields = [
  ...["id", "ID", "created_at", "owner_id ", "spot-number", "Spot_number", "is_claimed"],
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "$ref", "0", "", " "],
  ...["ключ", "' or 1=1 --", "\u0000", "a\nb"],
];

/** Every route that takes a body. */
const forEachRoute = (check: (route: Route, fields: readonly string[]) => Promise<void>) =>
  holdsForAll(
    routesByToken.filter(({ body }) => body !== undefined),
    (route) => check(route, Object.keys(route.body?.properties ?? {})),
  );

it("a body without fields changes nothing, and the answer is what is there", () =>
  holdsForAll(
    routesByToken.filter(({ method, body }) => method === "PUT" && !body?.required?.length),
    async (route) => {
      const answer = await target.send(route, { body: {} });
      expect(answer.status).toBe(200);
      const shown = routesByToken.find((it) => it.method === "GET" && it.path === route.path);
      if (shown) expect(answer.body).toEqual((await target.send(shown, {})).body);
    },
  ));

describe("a body", () => {
  it("is refused for a bad value of each field, and names it", () =>
    forEachRoute((route, fields) =>
      holdsForAll(fields, async (field) => {
        const nullIsGood = route.body?.properties[field]?.nullable === true;
        const values = [...badValuesOf(kinds[field]), ...(nullIsGood ? [] : [null])];
        const refusals = await Promise.all(
          values.map(async (value) => {
            const body = { ...target.fieldsOf(route), [field]: value };
            const answer = await target.send(route, { body });
            expect(JSON.stringify(answer.body)).not.toMatch(POSTGRES_WORDS);
            return { value, ...refusalOf(answer) };
          }),
        );
        expect(refusals).toEqual(values.map((value) => ({ value, status: 400, fields: [field] })));
      }),
    ));

  it("is refused for every bad field at once, and names each of them", () =>
    forEachRoute(async (route, fields) => {
      const body = Object.fromEntries(fields.map((field) => [field, {}]));
      const { status, fields: refused } = refusalOf(await target.send(route, { body }));
      expect([status, ...refused.toSorted()]).toEqual([400, ...fields.toSorted()]);
    }));

  it("is refused where a required field is missing", () =>
    forEachRoute(async (route) => {
      for (const field of route.body?.required ?? []) {
        const { [field]: _left, ...body } = target.fieldsOf(route);
        const refused = refusalOf(await target.send(route, { body }));
        expect(refused).toEqual({ status: 400, fields: [field] });
      }
    }));

  it("is refused for a field that it does not have, and names it", () =>
    forEachRoute(async (route) => {
      const known = JSON.stringify(target.fieldsOf(route)).slice(1, -1);
      const refusals = await Promise.all(
        unknownFields.map(async (field) => {
          const body = `{${known},${JSON.stringify(field)}:{"is_admin":true}}`;
          return refusalOf(await target.send(route, { body }));
        }),
      );
      expect(refusals).toEqual(unknownFields.map((field) => ({ status: 400, fields: [field] })));
    }));

  it("is refused for a thousand fields that it does not have, with a short answer", () =>
    forEachRoute(async (route) => {
      const body = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`field_${i}`, i]));
      const answer = await target.send(route, { body });
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body).length).toBeLessThan(5000);
    }));

  it("is refused where it is not an object", () =>
    forEachRoute((route) =>
      holdsForAll(["[]", "[{}]", '"text"', "1", "1e400", "true", "null"], async (body) => {
        expect(await target.send(route, { body })).toMatchObject({
          status: 400,
          body: { error: expect.any(String) },
        });
      }),
    ));

  it("says what a value should look like, in words for people", async () => {
    const routeOf = (method: string, path: string) => {
      const found = routesByToken.find((it) => it.method === method && it.path === path);
      if (found === undefined) throw new Error(`no ${method} ${path}`);
      return found;
    };
    const times = { starts_at: "25:00", ends_at: "99:99", weekdays: ["MO", "MO"] };
    const series = routeOf("POST", "/claims/series/preview");
    const body = { ...target.fieldsOf(series), ...times };
    expect((await target.send(series, { body })).body).toMatchObject({
      details: {
        starts_at: { _errors: ["must look like 09:00"] },
        ends_at: { _errors: ["must look like 12:00"] },
        weekdays: { _errors: ["must not name the same twice"] },
      },
    });
    const preferences = routeOf("PUT", "/profile/preferences");
    expect((await target.send(preferences, { body: { language: "fr" } })).body).toMatchObject({
      details: { language: { _errors: ["must be one of en, de, null"] } },
    });
  });
});
