import { expect } from "@jest/globals";
import { hours } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import type { Random } from "../support/random.ts";

/** Bounds at midnight, at times at which rows start and end, and between these. */
const someBound = (chance: Random): string | null =>
  chance.pick([
    null,
    hours(3 * chance.below(30)),
    hours(chance.below(90)),
    `${hours(chance.below(90)).slice(0, 10)}T00:00:00.000Z`,
    "-infinity",
    "infinity",
  ]);

/** Totals beside what the caller counts, for one value of a filter and two bounds. */
const comparisons = {
  windows: `
    select api.count_availabilities($1, $2, $3) as total,
           (select count(*) from parking.availabilities a
             where ($1::boolean is null or a.is_claimed = $1)
               and ($2::timestamptz is null or a.start_time >= $2)
               and ($3::timestamptz is null or a.end_time < $3)) as counted`,
  claims: `
    select api.count_claims($1, $2, $3) as total,
           (select count(*) from parking.claims c
             where ($1::text is null or c.status = $1)
               and ($2::timestamptz is null or c.start_time >= $2)
               and ($3::timestamptz is null or c.end_time < $3)) as counted`,
};

/** The totals are what the caller would count, for filters at random. */
export async function expectEqualTotals(person: Person, chance: Random): Promise<void> {
  for (let i = 0; i < 12; i++) {
    const bounds = [someBound(chance), someBound(chance)];
    const status = chance.pick([null, "active", "completed", "cancelled"]);
    await expectEqual(person, "windows", [chance.pick([null, true, false]), ...bounds]);
    await expectEqual(person, "claims", [status, ...bounds]);
  }
}

async function expectEqual(
  person: Person,
  list: keyof typeof comparisons,
  filters: readonly (string | boolean | null)[],
): Promise<void> {
  const { rows } = await person.sql(comparisons[list], filters);
  const [row] = rows;
  expect({ list, filters, total: row?.total }).toEqual({ list, filters, total: row?.counted });
}
