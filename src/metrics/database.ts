import type { Pool } from "pg";
import { Gauge, type Registry } from "prom-client";

/** The service's role sees the transactions of its own role only. */
const QUESTION = `
  select pg_catalog.pg_database_size(d.oid)::float8 as size,
         pg_catalog.pg_stat_get_db_numbackends(d.oid)::float8 as connections,
         pg_catalog.current_setting('max_connections')::float8 as most,
         a.oldest,
         a."waitingCommits"
    from pg_catalog.pg_database d
   cross join (
           select coalesce(extract(epoch from now() - min(o.xact_start)), 0)::float8 as oldest,
                  count(*) filter (where o.wait_event = 'SyncRep')::float8 as "waitingCommits"
             from pg_catalog.pg_stat_activity o
            where o.usename = current_user and o.pid <> pg_catalog.pg_backend_pid()) a
   where d.datname = pg_catalog.current_database()`;

interface Answer {
  readonly size: number;
  readonly connections: number;
  readonly most: number;
  readonly oldest: number;
  readonly waitingCommits: number;
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
  const values: readonly (readonly [Gauge, (answer: Answer) => number])[] = [
    [gauge("size_bytes", "Size of the building's database."), ({ size }) => size],
    [
      gauge("connections", "Connections to the building's database, of everybody."),
      ({ connections }) => connections,
    ],
    [gauge("connections_max", "max_connections of the server."), ({ most }) => most],
    [
      gauge(
        "oldest_transaction_seconds",
        "Age of the oldest transaction of the service's role, of all processes.",
      ),
      ({ oldest }) => oldest,
    ],
    [
      gauge(
        "waiting_commits",
        "Commits of the service's role, of all processes, that wait for a synchronous standby.",
      ),
      ({ waitingCommits }) => waitingCommits,
    ],
  ];

  return async () => {
    const answer = await ask(pool);
    up.set(answer ? 1 : 0);
    for (const [gauge, read] of values) {
      if (answer) gauge.set(read(answer));
      else gauge.remove(); // an old value would look like a new one
    }
  };
}

async function ask(pool: Pool): Promise<Answer | undefined> {
  const answer = await pool.query<Answer>(QUESTION).catch(() => undefined);
  return answer?.rows[0];
}
