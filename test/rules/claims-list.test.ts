import { beforeAll, describe, expect, it } from "@jest/globals";
import { type Claim, claimOf, spotOf, useBuilding, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";

const building = useBuilding();
/** They claim from one another; the administrator too. Nobody else has claims. */
let people: Readonly<Record<"ann" | "bob" | "administrator" | "stranger", Person>>;
beforeAll(async () => {
  people = {
    ann: await building.resident(),
    bob: await building.resident(),
    administrator: await building.administrator(),
    stranger: await building.resident(),
  };
  const { ann, bob, administrator } = people;
  for (const [owner, claimer] of [
    [ann, bob],
    [bob, ann],
    [ann, administrator],
    [administrator, bob],
  ] as const) {
    const spot = await spotOf(owner);
    for (const hour of [1, 3]) await claimOf(claimer, await windowOf(owner, spot, hour, hour + 1));
  }
});

const idsOf = async (person: Person, sql: string) =>
  (await person.sql(sql)).rows.map(({ id }) => id);

describe("api.list_claims", () => {
  it.each([
    ["ann", 6],
    ["bob", 6],
    ["administrator", 8],
    ["stranger", 0],
  ] as const)("has for %s the %i claims that the policies show", async (who, count) => {
    const all = await idsOf(people[who], "select id from parking.claims order by id");
    expect(all).toHaveLength(count);
    expect(await idsOf(people[who], "select id from api.list_claims() order by id")).toEqual(all);
  });

  it.each(["ann", "bob", "administrator", "stranger"] as const)(
    "has each claim of %s in one part",
    async (who) => {
      const parts = ["made", "received", "of others"].map(
        (part) => `select id from api.list_claims('${part}')`,
      );
      const all = await idsOf(people[who], "select id from api.list_claims() order by id");
      expect(await idsOf(people[who], `${parts.join(" union all ")} order by id`)).toEqual(all);
    },
  );

  it("has nothing in a part that it does not know", async () => {
    expect(await idsOf(people.ann, "select id from api.list_claims('mine')")).toEqual([]);
  });
});

describe("GET /claims", () => {
  const list = async (who: keyof typeof people, query: string) =>
    (await people[who].get<{ claims: readonly Claim[]; total: number }>(`/claims${query}`, 200))
      .body;

  it.each(["ann", "bob", "administrator"] as const)(
    "merges the parts of %s in one order, page by page",
    async (who) => {
      const all = await idsOf(
        people[who],
        "select id from parking.claims order by start_time desc, id",
      );
      for (const offset of [0, 1, 3, 5]) {
        const { claims, total } = await list(who, `?limit=2&offset=${offset}`);
        expect(claims.map(({ id }) => id)).toEqual(all.slice(offset, offset + 2));
        expect(total).toBe(all.length);
      }
    },
  );

  it("has the total where the page is behind the end", async () => {
    expect(await list("ann", "?offset=100")).toEqual({ claims: [], total: 6 });
  });
});
