import type { Pool } from "pg";
import { Gauge, type Registry } from "prom-client";

/** How far the replica is behind a position of the primary. */
const BEHIND = `
  select pg_catalog.pg_wal_lsn_diff($1, pg_catalog.pg_last_wal_replay_lsn())::float8 as value`;
const POSITION = "select pg_catalog.pg_current_wal_insert_lsn() as value";

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
    const position = await askOne(primary, POSITION);
    const bytes = await askOne(replica, BEHIND, position ?? "0/0");
    up.set(typeof bytes === "number" ? 1 : 0);
    if (typeof bytes === "number" && position !== null) behind.set(Math.max(0, bytes));
    else behind.remove();
  };
}

/** Null where the server does not answer, or is no replica. */
const askOne = (pool: Pool, text: string, ...values: unknown[]): Promise<unknown> =>
  pool.query<{ value: unknown }>(text, values).then(
    ({ rows: [row] }) => row?.value ?? null,
    () => null,
  );
