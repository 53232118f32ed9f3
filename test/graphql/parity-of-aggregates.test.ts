import { afterAll, describe, expect, it } from "@jest/globals";
import { isEnumType } from "graphql";
import { opened } from "../support/opened.ts";
import { holdsForAll } from "../support/table.ts";
import { ask, send } from "./ask.ts";
import {
  approved,
  everyRow,
  fieldsOf,
  type Listing,
  listings,
  notApproved,
  openWorld,
  type Row,
  rowsShown,
  snakeCase,
} from "./world.ts";

const world = opened(() => openWorld());
afterAll(() => world.building.close());

const aggregated = listings.filter(({ type }) => /^(Spot|Availability|Claim)$/.test(type));

/** The rows that a person sees in REST, with all their columns. */
async function visible(name: string, listing: Listing): Promise<Row[]> {
  const ids = new Set((await rowsShown(world.person(name), listing)).map(({ id }) => id));
  return (await everyRow(world, listing)).filter(({ id }) => ids.has(id));
}

const hoursOf = ({ start_time, end_time }: Row): number =>
  start_time instanceof Date && end_time instanceof Date
    ? (end_time.getTime() - start_time.getTime()) / 3_600_000
    : 0;

const hasHours = ({ type }: Listing): boolean =>
  fieldsOf(world, `${type}Aggregates`).some(({ name }) => name === "hours");

it("exist for spots, windows and claims only", () => {
  const offered = listings.filter(({ type }) => world.schema.getType(`${type}Aggregates`));
  expect(offered).toEqual(aggregated);
});

describe.each(aggregated)("aggregates of $list", (listing) => {
  const { type, list } = listing;

  it("count the rows that REST shows, and no others", () =>
    holdsForAll(approved, async (name) => {
      const rows = await visible(name, listing);
      const columns = fieldsOf(world, `${type}DistinctCountAggregates`).map((field) => field.name);
      const { shown } = await ask<{ shown: object }>(
        world.building,
        world.person(name),
        `{ shown: ${list} { aggregates {
             count ${hasHours(listing) ? "hours" : ""} distinctCount { ${columns.join(" ")} }
           } } }`,
      );
      expect(shown).toEqual({
        aggregates: {
          count: rows.length,
          ...(hasHours(listing) && { hours: rows.map(hoursOf).reduce((a, b) => a + b, 0) }),
          distinctCount: Object.fromEntries(
            columns.map((column) => [
              column,
              String(new Set(rows.map((row) => row[snakeCase(column)])).size),
            ]),
          ),
        },
      });
    }));

  it("group the rows that REST shows, by every grouping", () =>
    holdsForAll(approved, async (name) => {
      const rows = await visible(name, listing);
      const groupings = world.schema.getType(`${type}GroupBy`);
      if (!isEnumType(groupings)) throw new Error(`${type} has no groupings`);
      for (const { name: grouping } of groupings.getValues()) {
        const { shown } = await ask<{ shown: { groups: { keys: string[]; count: number }[] } }>(
          world.building,
          world.person(name),
          `{ shown: ${list} { groups: groupedAggregates(groupBy: [${grouping}]) { keys count } } }`,
        );
        const sections = new Map(
          (await everyRow(world, { type: "Spot", list: "spots", path: "" })).map((spot) => [
            spot.id,
            spot.building_section,
          ]),
        );
        const counts = new Map<string, number>();
        for (const row of rows) {
          const key = keyOf(grouping, row, sections);
          counts.set(key, (counts.get(key) ?? 0) + 1);
        }
        const expected = [...counts].map(([key, count]) => ({ keys: [key], count }));
        expect(shown.groups).toHaveLength(expected.length);
        expect(shown.groups).toEqual(expect.arrayContaining(expected));
      }
    }));

  it("are refused to who is not approved", () =>
    holdsForAll(notApproved, async (name) => {
      for (const aggregate of ["totalCount", "aggregates { count }"]) {
        const document = `{ ${list} { ${aggregate} } }`;
        expect(await send(world.building, world.person(name), document)).toMatchObject({
          status: 403,
          body: { errors: [{ extensions: { code: "approved_account_required" } }] },
        });
      }
    }));
});

/** The key of a row's group. */
function keyOf(grouping: string, row: Row, sections: ReadonlyMap<string, unknown>): string {
  if (grouping === "DAY" && row.start_time instanceof Date) {
    return row.start_time.toISOString().slice(0, 10);
  }
  if (grouping === "BUILDING_SECTION" && typeof row.spot_id === "string") {
    return String(sections.get(row.spot_id));
  }
  return String(row[grouping.toLowerCase()]);
}
