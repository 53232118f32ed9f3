import { setTimeout } from "node:timers/promises";
import type { Pool } from "pg";
import { runAlone } from "../database/transaction.ts";

/** Whoever asks for the page makes the database read no more often than this, in milliseconds. */
const FRESH = 1_000;
/** The page comes without the newest greeting rather than later than this, in milliseconds. */
const PATIENCE = 500;

const greet = {
  name: "greet",
  text: `select jsonb_strip_nulls(jsonb_build_object('name', b.name, 'mark', b.mark, 'colour', b.colour))
           from private.building() b`,
  isShort: true,
  values: [],
} as const;

/**
 * What people see of the building before they sign in, as JSON: its name, mark and colour, and
 * nothing else. While the database does not answer, it is what was last known, or undefined.
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
      // Its failure is that of every other request, which says it; the page itself can be shown.
      reading = read().catch(() => {});
    }
    await Promise.race([reading, setTimeout(PATIENCE, undefined, { ref: false })]);
    return known;
  };
}
