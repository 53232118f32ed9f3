import { setTimeout } from "node:timers/promises";
import type { Pool } from "pg";
import { runAlone } from "../database/transaction.ts";

/**
 * In milliseconds. The database is read at most once in this time, for all who ask for the page.
 */
const FRESH = 1_000;
/** The longest time that the page waits for the newest greeting, in milliseconds. */
const PATIENCE = 500;

const greet = {
  name: "greet",
  text: `select jsonb_strip_nulls(jsonb_build_object('name', b.name, 'mark', b.mark, 'colour', b.colour))
           from private.building() b`,
  isShort: true,
  values: [],
} as const;

/**
 * What people see of the building before they sign in, as JSON: only its name, mark and colour.
 * While the database does not answer, it is the last known greeting, or undefined.
 */
export function greetingOf(pool: Pool): () => Promise<string | undefined> {
  let known: string | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> = Promise.resolve();
  const read = async () => {
    const [row] = await runAlone(pool, greet);
    known = row?.[0] ?? known;
  };
  return async () => {
    if (performance.now() - readAt > FRESH) {
      readAt = performance.now();
      // Other requests report this failure. The page itself can still be shown.
      reading = read().catch(() => {});
    }
    await Promise.race([reading, setTimeout(PATIENCE, undefined, { ref: false })]);
    return known;
  };
}
