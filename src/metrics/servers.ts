import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Pool } from "pg";
import type { Gauge, Registry } from "prom-client";
import { gaugesIn } from "./gauge.ts";

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

const QUESTION = readFileSync(join(import.meta.dirname, "database.sql"), "utf8");

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
  const gauge = gaugesIn(registry, "parking_database_");
  const up = gauge("up", "Whether the database answered this scrape.");
  const gauges = Object.entries(help).map(([name, text]) => [name, gauge(name, text)] as const);

  return async () => {
    const answer = await ask(pool, QUESTION);
    up.set("size_bytes" in answer ? 1 : 0);
    for (const [name, it] of gauges) setOrRemove(it, answer[name]);
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
  const gauge = gaugesIn(registry, "parking_replica_");
  const up = gauge("up", "Whether READ_DATABASE_URL led to a replica that answered this scrape.");
  const behind = gauge(
    "behind_bytes",
    "Bytes of WAL that the primary has written and the replica has not repeated.",
  );

  return async () => {
    const { position } = await ask(primary, POSITION);
    const { bytes } = await ask(replica, BEHIND, position ?? "0/0");
    const isUp = typeof bytes === "number"; // null of a server that is no replica
    up.set(isUp ? 1 : 0);
    setOrRemove(behind, isUp && position !== undefined ? Math.max(0, bytes) : null);
  };
}
