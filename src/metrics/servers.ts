import type { Pool } from "pg";
import { Gauge, type Registry } from "prom-client";

/** What the database says of itself, by the names of the metrics: null where it does not apply. */
const help = {
  size_bytes: "Size of the building's database.",
  connections: "Connections to the building's database, of everybody.",
  connections_max: "max_connections of the server.",
  oldest_transaction_seconds:
    "Age of the oldest transaction of the service's role, of all processes.",
  waiting_commits:
    "Commits of the service's role, of all processes, that wait for a synchronous standby.",
  oldest_waiting_commit_seconds: "Age of the oldest of them.",
  tables_locked_by_others:
    "Tables on which another role's transaction holds a lock that is for more than reading.",
  archive_age_seconds: "Time since the last file of WAL was archived.",
  archive_fails: "Whether the last attempt to archive WAL failed.",
};

/** The service's role sees the transactions of its own role only, and the locks of everybody. */
const QUESTION = `
  select pg_catalog.pg_database_size(d.oid)::float8 as size_bytes,
         pg_catalog.pg_stat_get_db_numbackends(d.oid)::float8 as connections,
         pg_catalog.current_setting('max_connections')::float8 as connections_max,
         own.*,
         (select count(distinct l.relation)::float8
            from pg_catalog.pg_locks l
            join pg_catalog.pg_class c on c.oid = l.relation and c.relkind = 'r'
            join pg_catalog.pg_stat_activity o on o.pid = l.pid
           where l.database = d.oid
             and c.oid >= 16384 -- not those of PostgreSQL itself
             and l.granted
             and l.mode not in ('AccessShareLock', 'ShareUpdateExclusiveLock')
             and o.usename <> current_user) as tables_locked_by_others,
         extract(epoch from now() - r.last_archived_time)::float8 as archive_age_seconds,
         case when r.last_archived_time is not null or r.last_failed_time is not null
              then coalesce(r.last_failed_time > r.last_archived_time, r.last_archived_time is null)::integer
         end as archive_fails
    from pg_catalog.pg_database d
   cross join pg_catalog.pg_stat_archiver r
   cross join (
           select coalesce(extract(epoch from now() - min(a.xact_start)), 0)::float8
                    as oldest_transaction_seconds,
                  count(*) filter (where a.wait_event = 'SyncRep')::float8 as waiting_commits,
                  coalesce(extract(epoch from now() - min(a.query_start)
                    filter (where a.wait_event = 'SyncRep')), 0)::float8
                    as oldest_waiting_commit_seconds
             from pg_catalog.pg_stat_activity a
            where a.usename = current_user and a.pid <> pg_catalog.pg_backend_pid()) own
   where d.datname = pg_catalog.current_database()`;

/** How far the replica is behind a position of the primary. */
const BEHIND = `
  select pg_catalog.pg_wal_lsn_diff($1, pg_catalog.pg_last_wal_replay_lsn())::float8 as bytes`;
const POSITION = "select pg_catalog.pg_current_wal_insert_lsn() as position";

type Values = Readonly<Record<string, unknown>>;

/** The first row of the answer; nothing where there is none. */
const ask = (pool: Pool, text: string, ...values: unknown[]): Promise<Values> =>
  pool.query<Values>(text, values).then(
    ({ rows: [row = {}] }) => row,
    () => ({}),
  );

/** An old value would look like a new one. */
function setOrRemove(gauge: Gauge, value: unknown): void {
  if (typeof value === "number") gauge.set(value);
  else gauge.remove();
}

/**
 * What the database says of itself, asked anew for each scrape. One that does not answer within the
 * limits of the pool costs the scrape these values and no more: parking_database_up is then 0.
 *
 * @param pool a connection of its own: a slow answer must not keep /readyz waiting
 */
export function databaseMetrics(pool: Pool, registry: Registry): () => Promise<void> {
  const gaugeOf = (name: string, help: string) =>
    new Gauge({ name: `parking_database_${name}`, help, registers: [registry] });
  const up = gaugeOf("up", "Whether the database answered this scrape.");
  const gauges = Object.entries(help).map(([name, text]) => ({ name, gauge: gaugeOf(name, text) }));

  return async () => {
    const answer = await ask(pool, QUESTION);
    up.set("size_bytes" in answer ? 1 : 0);
    for (const { name, gauge } of gauges) setOrRemove(gauge, answer[name]);
  };
}

/**
 * Whether the replica answers, and how far it is behind the primary, asked anew for each scrape.
 *
 * @param primary a connection of its own to each, as for the other questions of a scrape
 */
export function replicaMetrics(
  primary: Pool,
  replica: Pool,
  registry: Registry,
): () => Promise<void> {
  const registers = [registry];
  const up = new Gauge({
    name: "parking_replica_up",
    help: "Whether READ_DATABASE_URL led to a replica that answered this scrape.",
    registers,
  });
  const behind = new Gauge({
    name: "parking_replica_behind_bytes",
    help: "Bytes of WAL that the primary has written and the replica has not repeated.",
    registers,
  });

  return async () => {
    const { position } = await ask(primary, POSITION);
    const { bytes } = await ask(replica, BEHIND, position ?? "0/0");
    const isUp = typeof bytes === "number"; // null of a server that is no replica
    up.set(isUp ? 1 : 0);
    setOrRemove(behind, isUp && position !== undefined ? Math.max(0, bytes) : null);
  };
}
