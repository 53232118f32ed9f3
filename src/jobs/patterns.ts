import { DatabaseError, type Pool } from "pg";
import type { Logger } from "../log/logger.ts";
import type { JobKind } from "./runner.ts";

interface DuePattern {
  readonly id: string;
  readonly owner_id: string;
}

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** The time, in seconds, to set right a clock that runs ahead. */
const DOUBT = 600;

/** Publishes the windows of patterns for the next days. */
export const patternsJob = (pool: Pool, logger: Logger): JobKind => ({
  seconds: 600,
  atOnce: 1,
  async attempt({ overdue_seconds }, signal) {
    // This happens after a standstill, or if a clock runs ahead and would publish windows of next
    // year.
    if (overdue_seconds > DAY) return { again: DOUBT };
    const due = await pool.query<DuePattern>("select id, owner_id from private.due_patterns()");
    const failures: DatabaseError[] = [];
    let published = 0;
    for (const { id, owner_id } of due.rows) {
      signal.throwIfAborted();
      try {
        // Each pattern has its own transaction, so that one that waits or fails does not hold up
        // others.
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
