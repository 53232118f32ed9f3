import { randomUUID } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { actsOfAdministrators, actsOfResidents } from "../support/acts.ts";
import { hours, spotOf, useBuilding } from "../support/building.ts";
import { newAddress, newNumber, spotNumbered } from "../support/invitations.ts";
import { postWithKey } from "../support/keyed.ts";
import { type Person, requestJson } from "../support/person.ts";
import { suspend } from "../support/rows.ts";
import { holdsForAll } from "../support/table.ts";

const building = useBuilding();
const person = building.shared("resident");

const postAs = (who: Person, path: string, key: string, body: unknown) =>
  postWithKey(building.service.origin, who, path, key, body);
const newSpot = () => ({ spot_number: randomUUID().slice(0, 8), building_section: "North" });
const register = (key: string, body: object, who = person) =>
  postAs(who, "/parking-spots", key, body);

const countOf = async ({ spot_number }: { readonly spot_number: string }): Promise<number> =>
  (await building.rows("select from parking.spots where spot_number = $1", [spot_number])).length;

describe("the same POST with the same key", () => {
  it("gets the first answer again, byte for byte", () => {
    const acts = { ...actsOfResidents(building), ...actsOfAdministrators(building) };
    const posts = Object.entries(acts).filter(([name]) => /^POST (?!.calendar-feed)/.test(name));
    return holdsForAll(posts, async ([, prepare]) => {
      const { actor, request } = await prepare();
      const [method, path, body] = request;
      const send = async () => {
        const response = await fetch(`${building.service.origin}/api${path}`, {
          method,
          body: JSON.stringify(body),
          headers: {
            "Content-Type": "application/json",
            Authorization: `Bearer ${actor.token}`,
            "Idempotency-Key": '"the same"',
          },
        });
        const { status, headers } = response;
        const kept = ["Location", "Content-Type"].map((name) => headers.get(name));
        const replayed = headers.get("Idempotent-Replayed");
        return { answer: { status, kept, text: await response.text() }, replayed };
      };
      const first = await send();
      expect(first).toMatchObject({ answer: { status: 201 }, replayed: null });
      for (const _ of Array(2)) expect(await send()).toEqual({ ...first, replayed: "true" });
    });
  });

  it("has its effect once", async () => {
    const spot = newSpot();
    await register("once", spot);
    const { spot_number, building_section } = spot;
    await register("once", { building_section, spot_number });
    expect(await countOf(spot)).toBe(1);
  });

  it("is the same where members within it have another order", async () => {
    const administrator = await building.administrator();
    const [email, key] = [newAddress(), randomUUID()];
    const spot = spotNumbered(newNumber());
    const send = (...invitations: readonly object[]) =>
      postAs(administrator, "/admin/invitations", key, { invitations });
    await send({ email, apartment_number: "2B", spots: [spot] });
    const { spot_number, building_section } = spot;
    const again = { spots: [{ building_section, spot_number }], apartment_number: "2B", email };

    expect((await send(again)).headers.get("Idempotent-Replayed")).toBe("true");
    expect((await send(again, again)).status).toBe(422);
  });

  it("is the same where an id has other letters", async () => {
    const { id } = await spotOf(person);
    const key = randomUUID();
    const send = (spot_id: string) =>
      postAs(person, "/availabilities", key, {
        spot_id,
        start_time: hours(1),
        end_time: hours(2),
      });
    expect((await send(id)).status).toBe(201);
    expect((await send(id.toUpperCase())).headers.get("Idempotent-Replayed")).toBe("true");
  });

  it("is refused like any other where the account was suspended meanwhile", async () => {
    const other = await building.resident();
    const spot = newSpot();
    await register("suspended", spot, other);
    await suspend(building, other);
    const { status, headers } = await register("suspended", spot, other);
    expect([status, headers.get("X-Error-Code")]).toEqual([403, "approved_account_required"]);
  });
});

describe("a key that was used for", () => {
  it.each([
    ["other values", "/parking-spots", () => newSpot()],
    ["another endpoint", "/profile", () => ({ apartment_number: "1" })],
  ])("%s is refused, and nothing is done", async (_what, path, body) => {
    const key = randomUUID();
    await register(key, newSpot());
    const before = await building.rows("select from parking.spots");
    const { status, headers, body: refusal } = await postAs(person, path, key, body());
    expect([status, headers.get("X-Error-Code"), refusal]).toEqual([
      422,
      "idempotency_key_reused",
      { error: "This Idempotency-Key was used for another request" },
    ]);
    expect(await building.rows("select from parking.spots")).toHaveLength(before.length);
  });

  it("a request that failed may be used again", async () => {
    const taken = newSpot();
    await register(randomUUID(), taken);
    const key = randomUUID();
    expect((await register(key, taken)).status).toBe(409);
    expect((await register(key, { ...taken, spot_number: "" })).status).toBe(400);
    expect((await register(key, newSpot())).status).toBe(201);
  });
});

describe("Idempotency-Key", () => {
  it.each([
    ["a bare text", "bare ~ text"],
    ["a quoted text", '"quoted"'],
    ["escaped characters", '"a\\"b\\\\c"'],
    ["one character", "x"],
    ["255 characters", "x".repeat(255)],
    ["255 characters in quotes", `"${"y".repeat(255)}"`],
    ["quotes inside", 'a "b" c'],
  ])("may be %s", async (_what, key) => {
    expect((await register(key, newSpot())).status).toBe(201);
  });

  it.each([
    ["empty", ""],
    ["an empty text in quotes", '""'],
    ["256 characters", "x".repeat(256)],
    ["not ASCII", "é"],
    ["a tab", "a\tb"],
    ["without its last quote", '"a'],
    ["more than a text in quotes", '"a";b=1'],
    ["an escape of nothing", '"a\\b"'],
  ])("must not be %s", async (_what, key) => {
    const spot = newSpot();
    const { status, body } = await register(key, spot);
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        error: "Validation failed",
        details: {
          "Idempotency-Key": { _errors: ["must be 1 to 255 printable ASCII characters"] },
        },
      },
    });
    expect(await countOf(spot)).toBe(0);
  });

  it("means nothing to a PUT, a DELETE and a GET", async () => {
    const { id } = await spotOf(person);
    const path = `/api/parking-spots/${id}`;
    const options = { token: person.token, headers: { "Idempotency-Key": "" } };
    const send = (method: string, body?: object) =>
      requestJson(building.service.origin, method, path, { ...options, ...(body && { body }) });
    const answers = [
      await send("GET"),
      await send("PUT", { building_section: "South" }),
      await send("DELETE"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it("is refused by GraphQL, which would ignore it", async () => {
    const body = { query: "{ spots(first: 1) { nodes { id } } }" };
    const answer = await postAs(person, "/graphql", "a key", body);
    expect(answer).toMatchObject({
      status: 400,
      body: {
        errors: [
          {
            extensions: {
              code: "validation_failed",
              details: { "Idempotency-Key": { _errors: ["is not supported by GraphQL"] } },
            },
          },
        ],
      },
    });
  });
});
