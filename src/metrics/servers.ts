import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Pool } from "pg";
import type { Gauge, Registry } from "prom-client";
import { gaugesIn } from "./gauge.ts";

/** What the database says about itself, by the names of the metrics; null if it does not apply. */
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

type Values = Readonly<Record<string, unknown>>;

/** The first row of the answer, or an empty object. */
const ask = (pool: Pool): Promise<Values> =>
  pool.query<Values>(QUESTION).then(
    ({ rows: [row = {}] }) => row,
    () => ({}),
  );

/** Removes a gauge without a value, because its old value would look like a new one. */
function setOrRemove(gauge: Gauge, value: unknown): void {
  if (typeof value === "number") gauge.set(value);
  else gauge.remove();
}

/**
 * What the database says about itself, queried again for each scrape. If it does not answer within
 * the limits of the pool, the scrape lacks only these values, and parking_database_up is 0.
 * @param pool its own connection, because a slow answer must not delay /readyz
 */
export function databaseMetrics(pool: Pool, registry: Registry): () => Promise<void> {
  const gauge = gaugesIn(registry, "parking_database_");
  const up = gauge("up", "Whether the database answered this scrape.");
  const gauges = Object.entries(help).map(([name, text]) => [name, gauge(name, text)] as const);

  return async () => {
    const answer = await ask(pool);
    up.set("size_bytes" in answer ? 1 : 0);
    for (const [name, it] of gauges) setOrRemove(it, answer[name]);
  };
}
