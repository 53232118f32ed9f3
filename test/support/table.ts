import { inspect, stripVTControlCharacters } from "node:util";
import { reasonOf } from "../../src/errors/reason.ts";

/**
 * Checks every row of a table, and then fails with each row that does not hold, and why: for rows
 * that one cause would fail together.
 */
export async function holdsForAll<Row>(
  rows: Iterable<Row>,
  check: (row: Row) => unknown,
): Promise<void> {
  const faults: string[] = [];
  let count = 0;
  for (const row of rows) {
    count += 1;
    try {
      await check(row);
    } catch (error) {
      faults.push(`${nameOf(row)}: ${stripVTControlCharacters(reasonOf(error))}`);
    }
  }
  if (count === 0) throw new Error("the table has no rows");
  if (faults.length > 0) {
    throw new Error([`${faults.length} of ${count} rows do not hold`, ...faults].join("\n\n"));
  }
}

const nameOf = (row: unknown): string =>
  typeof row === "string" ? row : inspect(row, { breakLength: Infinity, maxStringLength: 80 });
