import { expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";

const building = useBuilding();

/**
 * Each statement reads the conditions of the triggers of its columns anew: 300 characters of a tree for an
 * operator, which it plans then. What is longer costs a claim more than a function that asks the same.
 */
const LONGEST = 1500;

it.each([
  ["a new claim", "parking.claims", "insert", ""],
  ["a cancellation", "parking.claims", "update", "status"],
  ["the window that they mark", "parking.availabilities", "update", "is_claimed"],
])("no long condition of a trigger is read for %s", async (_, table, verb, column) => {
  const conditions = await building.rows<{ name: string; length: number }>(
    `select t.tgname as name, length(t.tgqual::text) as length
       from pg_trigger t
       left join pg_attribute a on a.attrelid = t.tgrelid and a.attname = $3
      where t.tgrelid = $1::regclass
        and t.tgqual is not null
        and t.tgtype & case $2 when 'insert' then 4 else 16 end > 0
        and ($2 = 'insert' or cardinality(t.tgattr::smallint[]) = 0 or a.attnum = any (t.tgattr))`,
    [table, verb, column],
  );
  expect(conditions).not.toEqual([]);
  expect(conditions.filter(({ length }) => length > LONGEST)).toEqual([]);
});
