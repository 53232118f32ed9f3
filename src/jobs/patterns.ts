import { DatabaseError, type Pool } from "pg";
import type { Logger } from "../log/logger.ts";
import type { JobKind } from "./runner.ts";

interface DuePattern {
  readonly id: string;
  readonly owner_id: string;
}

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** How long a clock that ran ahead has until it is set right. */
const DOUBT = 600;

/** Publishes the windows of patterns for the days that have come near. */
export const patternsJob = (pool: Pool, logger: Logger): JobKind => ({
  seconds: 600,
  atOnce: 1,
  async attempt({ overdue_seconds }, signal) {
    // After a standstill, or by a clock that runs ahead and would have windows of next year published.
    if (overdue_seconds > DAY) return { again: DOUBT };
    const due = await pool.query<DuePattern>("select id, owner_id from private.due_patterns()");
    const failures: DatabaseError[] = [];
    let published = 0;
    for (const { id, owner_id } of due.rows) {
      signal.throwIfAborted();
      try {
        // Each in a transaction of its own: what one waits for or fails at does not hold up others.
        const sql = "select private.extend_pattern($1, $2) as published";
        const { rows } = await pool.query<{ published: number }>(sql, [id, owner_id]);
        published += rows[0]?.published ?? 0;
      } catch (error) {
        if (!(error instanceof DatabaseError) || error.severity !== "ERROR") throw error;
        failures.push(error);
      }
    }
    const patterns = due.rows.length - failures.length;
    if (published > 0) logger.info({ windows: published, patterns }, "windows are published");
    const [first] = failures;
    if (!first) return { again: HOUR };
    return {
      failure: `${failures.length} patterns could not be published: ${first.message}`,
      again: HOUR,
    };
  },
});
