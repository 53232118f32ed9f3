import type { Pool } from "pg";
import type { Logger } from "../log/logger.ts";
import type { JobKind } from "./runner.ts";

const DAY = 24 * 3_600;
const MOST_AT_ONCE = 5_000;

/**
 * Deletes what the building no longer keeps.
 * @param before tells the database what it must know first
 */
export const pruningJob = (
  pool: Pool,
  logger: Logger,
  before: () => Promise<unknown>,
): JobKind => ({
  seconds: 60,
  atOnce: 1,
  async attempt() {
    await before();
    const { rows } = await pool.query<{ pruned: number | null }>(
      "select private.prune($1) as pruned",
      [MOST_AT_ONCE],
    );
    if (rows[0]?.pruned === null)
      logger.warn(
        "nothing old is deleted: nothing happened for a week, or the clock of the database runs ahead",
      );
    // It deletes a little at a time, so that nobody waits for it.
    return { again: rows[0]?.pruned === MOST_AT_ONCE ? 1 : DAY };
  },
});
