import type { Pool } from "pg";
import type { Logger } from "../log/logger.ts";

const INTERVAL_MS = 1_000;

/** The role of the service sees what its own sessions wait for, those of all processes. */
const QUESTION = `
  select count(*)::integer as commits,
         pg_catalog.current_setting('synchronous_standby_names') as standbys,
         -- Each commit waits for a moment where there is a synchronous standby.
         coalesce(min(a.query_start) < now() - interval '1 second', false) as "areLate"
    from pg_catalog.pg_stat_activity a
   where a.usename = current_user and a.wait_event = 'SyncRep'`;

/** Whether commits wait for a synchronous standby that is gone. */
export interface WaitingCommits {
  /** Asks the database whether that is why a write has not ended for a second. */
  readonly suspect: () => void;
  /** Why the next write would be refused, if it would: its own commit would wait too. */
  readonly overload: () => string | undefined;
}

/**
 * PostgreSQL waits for a synchronous standby for as long as it takes, and says so nowhere: no time
 * limit ends a commit, and the session goes on waiting when its client has left. Without this each
 * write would leave one more, until the server has no connections.
 *
 * @param pool a connection of its own, that writes cannot take
 */
export function watchCommits(pool: Pool, logger: Logger): WaitingCommits {
  let isAsked = false;
  let areWaiting = false;

  async function ask(): Promise<void> {
    // Where the database does not answer, nothing new is known.
    const unknown = { rows: [{ areLate: areWaiting }] };
    const { rows } = await pool.query<{ areLate: boolean }>(QUESTION).catch(() => unknown);
    const { areLate = areWaiting, ...named } = rows[0] ?? {};
    if (areLate && !areWaiting) logger.error(named, "commits wait for a synchronous standby");
    if (!areLate && areWaiting) logger.info("commits no longer wait for a synchronous standby");
    areWaiting = areLate;
    isAsked = areWaiting;
    if (areWaiting) setTimeout(ask, INTERVAL_MS).unref();
  }

  return {
    suspect: () => {
      if (isAsked) return;
      isAsked = true;
      void ask();
    },
    overload: () => (areWaiting ? "commits wait for a synchronous standby" : undefined),
  };
}
