import { beforeAll, describe, expect, it } from "@jest/globals";
import { claimOf, hours, spotOf, useBuilding, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { ask, send } from "./ask.ts";

const building = useBuilding();
const owner = building.shared("resident");
let claimers: readonly [Person, Person];
const administrator = building.shared("administrator");
beforeAll(async () => {
  claimers = [await building.resident(), await building.resident()];
  const north = await spotOf(owner, "North");
  const south = await spotOf(owner, "South");
  await claimOf(claimers[0], await windowOf(owner, north, 24, 26));
  await claimOf(claimers[0], await windowOf(owner, south, 48, 52));
  await claimOf(claimers[1], await windowOf(owner, south, 96, 97));
  await windowOf(owner, south, 100, 101);
});

interface Group {
  readonly keys: readonly string[];
  readonly count: number;
  readonly hours: number;
}

const day = (count: number): string => hours(count).slice(0, 10);

/** The database promises no order. */
const sorted = <Group extends { readonly keys: readonly string[] }>(groups: readonly Group[]) =>
  groups.toSorted((a, b) => a.keys.join().localeCompare(b.keys.join()));

describe("aggregates", () => {
  it("count the claims of each section on each day", async () => {
    const { claims } = await ask<{ claims: { groups: Group[] } }>(
      building,
      administrator,
      `{ claims { groups: groupedAggregates(groupBy: [BUILDING_SECTION, DAY]) {
           keys count hours
         } } }`,
    );

    expect(sorted(claims.groups)).toEqual([
      { keys: ["North", day(24)], count: 1, hours: 2 },
      { keys: ["South", day(48)], count: 1, hours: 4 },
      { keys: ["South", day(96)], count: 1, hours: 1 },
    ]);
  });

  it("show the utilisation of a spot to everyone who sees its windows", async () => {
    const { spots } = await ask<{ spots: { nodes: { availabilities: { groups: Group[] } }[] } }>(
      building,
      claimers[1],
      `{ spots(condition: { buildingSection: "South" }) { nodes { availabilities {
           groups: groupedAggregates(groupBy: [IS_CLAIMED]) { keys count hours }
         } } } }`,
    );

    expect(sorted(spots.nodes[0]?.availabilities.groups ?? [])).toEqual([
      { keys: ["false"], count: 1, hours: 1 },
      { keys: ["true"], count: 2, hours: 5 },
    ]);
  });

  it("are about the rows that meet the condition", async () => {
    const document = `query ($from: Datetime!) {
      claims(condition: { startDate: $from }) { totalCount aggregates { hours } }
    }`;

    expect(await ask(building, administrator, document, { from: hours(30) })).toEqual({
      claims: { totalCount: 2, aggregates: { hours: 5 } },
    });
  });

  it("are refused, and not cut off, with more than 200 groups", async () => {
    await building.rows(`
      insert into parking.spots (spot_number, owner_id, building_section)
      select 'G-' || i, '${owner.id}', 'Section ' || i from generate_series(1, 200) i`);
    const document = "{ spots { groupedAggregates(groupBy: [BUILDING_SECTION]) { keys count } } }";

    const { body } = await send(building, administrator, document);
    expect(body).toMatchObject({
      data: { spots: { groupedAggregates: null } },
      errors: [
        {
          message: "There are more than 200 groups; narrow the condition",
          path: ["spots", "groupedAggregates"],
          extensions: { code: "document_too_large", status: 400 },
        },
      ],
    });
  });

  it("add up what lasts for thousands of years", async () => {
    await building.rows(
      `with spots as (
         insert into parking.spots (owner_id, spot_number, building_section)
         select $1, 'Far ' || number, 'Far' from generate_series(1, 800) number
         returning id, owner_id
       )
       insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
       select id, owner_id, now() + interval '30 days', '9999-12-31' from spots`,
      [owner.id],
    );
    const { availabilities } = await ask<{ availabilities: { aggregates: Omit<Group, "keys"> } }>(
      building,
      owner,
      '{ availabilities(condition: { buildingSection: "Far" }) { aggregates { count hours } } }',
    );

    expect(availabilities.aggregates.count).toBe(800);
    expect(availabilities.aggregates.hours).toBeGreaterThan(800 * 7000 * 365 * 24);
  });
});
