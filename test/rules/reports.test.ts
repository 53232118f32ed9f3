import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Building, openBuilding, spotOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { writePastRules } from "../support/rows.ts";

let building: Building;
let administrator: Person;
beforeAll(async () => {
  building = await openBuilding();
  administrator = await building.administrator();
});
afterAll(() => building.close());

const FUNCTIONS = [
  "use_by_hour",
  "use_by_section",
  "spots_never_offered",
  "windows_never_claimed",
  "unmet_wishes",
] as const;
const report = (name: string, from: string, until: string | null): [string, unknown[]] => [
  `select from api.${name}($1, $2)`,
  [from, until],
];

describe("reports_end_after_they_begin", () => {
  it.each(FUNCTIONS)("holds for direct SQL as the API role: %s", async (name) => {
    for (const until of ["2024-01-01", "2023-12-31", null]) {
      expect(await administrator.sqlError(...report(name, "2024-01-01", until))).toMatchObject({
        constraint: "reports_end_after_they_begin",
      });
    }
    await administrator.sql(...report(name, "2024-01-01", "2024-01-02"));
  });
});

describe("reports_of_half_a_year_at_most", () => {
  it.each(FUNCTIONS)("holds for direct SQL as the API role: %s", async (name) => {
    expect(await administrator.sqlError(...report(name, "2024-01-01", "2024-07-04"))).toMatchObject(
      { constraint: "reports_of_half_a_year_at_most" },
    );
    await administrator.sql(...report(name, "2024-01-01", "2024-07-03"));
  });
});

describe("reports_of_10000_rows_at_most", () => {
  it("holds for direct SQL as the API role", async () => {
    const spot = await spotOf(await building.resident());
    await writePastRules(
      building,
      `insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
       select $1, $2, m, m + interval '1 minute'
         from generate_series(timestamptz '2023-01-01Z', '2023-01-07T22:40Z', '1 minute') m`,
      [spot.id, spot.owner_id],
    );
    const never = "windows_never_claimed";
    expect(
      await administrator.sqlError(...report(never, "2023-01-01", "2023-01-09")),
    ).toMatchObject({
      constraint: "reports_of_10000_rows_at_most",
    });
    const { rowCount } = await administrator.sql(...report(never, "2023-01-01", "2023-01-07"));
    expect(rowCount).toBe(6 * 24 * 60);
  });
});
