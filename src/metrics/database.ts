import type { Pool } from "pg";
import { Gauge, type Registry } from "prom-client";

/** The service's role sees the transactions of its own role only, and the locks of everybody. */
const QUESTION = `
  select pg_catalog.pg_database_size(d.oid)::float8 as size,
         pg_catalog.pg_stat_get_db_numbackends(d.oid)::float8 as connections,
         pg_catalog.current_setting('max_connections')::float8 as most,
         own.*,
         (select count(distinct l.relation)::float8
            from pg_catalog.pg_locks l
            join pg_catalog.pg_class c on c.oid = l.relation and c.relkind = 'r'
            join pg_catalog.pg_stat_activity o on o.pid = l.pid
           where l.database = d.oid
             and c.oid >= 16384 -- not those of PostgreSQL itself
             and l.granted
             and l.mode not in ('AccessShareLock', 'ShareUpdateExclusiveLock')
             and o.usename <> current_user) as "lockedByOthers",
         extract(epoch from now() - r.last_archived_time)::float8 as "archiveAge",
         case when r.last_archived_time is not null or r.last_failed_time is not null
              then coalesce(r.last_failed_time > r.last_archived_time, r.last_archived_time is null)::integer
         end as "archiveFails"
    from pg_catalog.pg_database d
   cross join pg_catalog.pg_stat_archiver r
   cross join (
           select coalesce(extract(epoch from now() - min(a.xact_start)), 0)::float8 as oldest,
                  count(*) filter (where a.wait_event = 'SyncRep')::float8 as "waitingCommits",
                  coalesce(extract(epoch from now() - min(a.query_start)
                    filter (where a.wait_event = 'SyncRep')), 0)::float8 as "oldestCommit"
             from pg_catalog.pg_stat_activity a
            where a.usename = current_user and a.pid <> pg_catalog.pg_backend_pid()) own
   where d.datname = pg_catalog.current_database()`;

interface Answer {
  readonly size: number;
  readonly connections: number;
  readonly most: number;
  readonly oldest: number;
  readonly waitingCommits: number;
  readonly oldestCommit: number;
  readonly lockedByOthers: number;
  /** Null where nothing was archived. */
  readonly archiveAge: number | null;
  /** Null where nothing was to be archived. */
  readonly archiveFails: number | null;
}

/**
 * What the database says of itself, asked anew for each scrape. One that does not answer within the
 * limits of the pool costs the scrape these values and no more: parking_database_up is then 0.
 *
 * @param pool a connection of its own: a slow answer must not keep /readyz waiting
 */
export function databaseMetrics(pool: Pool, registry: Registry): () => Promise<void> {
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `parking_database_${name}`, help, registers: [registry] });
  const up = gauge("up", "Whether the database answered this scrape.");
  const values: readonly (readonly [Gauge, keyof Answer])[] = [
    [gauge("size_bytes", "Size of the building's database."), "size"],
    [gauge("connections", "Connections to the building's database, of everybody."), "connections"],
    [gauge("connections_max", "max_connections of the server."), "most"],
    [
      gauge(
        "oldest_transaction_seconds",
        "Age of the oldest transaction of the service's role, of all processes.",
      ),
      "oldest",
    ],
    [
      gauge(
        "waiting_commits",
        "Commits of the service's role, of all processes, that wait for a synchronous standby.",
      ),
      "waitingCommits",
    ],
    [gauge("oldest_waiting_commit_seconds", "Age of the oldest of them."), "oldestCommit"],
    [
      gauge(
        "tables_locked_by_others",
        "Tables on which another role's transaction holds a lock that is for more than reading.",
      ),
      "lockedByOthers",
    ],
    [gauge("archive_age_seconds", "Time since the last file of WAL was archived."), "archiveAge"],
    [gauge("archive_fails", "Whether the last attempt to archive WAL failed."), "archiveFails"],
  ];

  return async () => {
    const answer = await ask(pool);
    up.set(answer ? 1 : 0);
    for (const [gauge, name] of values) {
      const value = answer?.[name] ?? null;
      if (value === null)
        gauge.remove(); // an old value would look like a new one
      else gauge.set(value);
    }
  };
}

async function ask(pool: Pool): Promise<Answer | undefined> {
  const answer = await pool.query<Answer>(QUESTION).catch(() => undefined);
  return answer?.rows[0];
}
