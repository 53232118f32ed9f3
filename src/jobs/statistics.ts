import type { Pool } from "pg";
import type { JobKind } from "./runner.ts";

/** Makes the planner's statistics again after a person's erasure, because they contain values. */
export const statisticsJob = (pool: Pool): JobKind => ({
  seconds: 60,
  atOnce: 1,
  async attempt(_job, signal) {
    const sql = "select private.renew_statistics($1) as is_one";
    for (let table = 1; ; table += 1) {
      signal.throwIfAborted();
      const { rows } = await pool.query<{ is_one: boolean }>(sql, [table]);
      if (!rows[0]?.is_one) return {};
    }
  },
});
