import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Pool } from "pg";
import { Counter, Gauge, type Registry } from "prom-client";
import { boundsOf } from "../database/pool.ts";
import { waitingIn } from "../overload/bound.ts";
import type { KeyFetches } from "../tokens/keys.ts";

/** Makes gauges whose names have the same prefix. `collect` sets a gauge again for each scrape. */
export const gaugesIn =
  (registry: Registry, prefix: string) =>
  (
    name: string,
    help: string,
    labelNames: readonly string[] = [],
    collect: (gauge: Gauge) => void = () => {},
  ): Gauge =>
    new Gauge({
      name: prefix + name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        collect(this);
      },
    });

/** A counter of what another part counts, read again for each scrape. */
const counterOf = (registry: Registry, name: string, help: string, count: () => number) =>
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(count());
    },
  });

/** Shows whether the identity provider still returns its keys. */
export function keyMetrics({ ageSeconds, failures }: KeyFetches, registry: Registry): void {
  const age =
    "Time since the identity provider was asked for the keys in use; +Inf before there are any.";
  gaugesIn(registry, "parking_")("identity_keys_age_seconds", age, [], (it) =>
    it.set(ageSeconds()),
  );
  const help = "Fetches of the identity provider's keys that failed.";
  counterOf(registry, "parking_identity_key_fetch_failures_total", help, failures);
}

/** What happened at the sign-in by mail, by the name of the event. */
export type SignInCounts = ReadonlyMap<string, number>;

export function signInMetrics(counts: SignInCounts, registry: Registry): void {
  new Counter({
    name: "parking_sign_ins_total",
    help: "Codes for the sign-in by mail that were asked for, mailed and typed, and how that went.",
    labelNames: ["event"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [event, count] of counts) this.inc({ event }, count);
    },
  });
}

export interface StreamCounts {
  /** The number of open streams. */
  readonly count: () => number;
  readonly dropped: () => number;
}

export function streamMetrics({ count, dropped }: StreamCounts, registry: Registry): void {
  gaugesIn(registry, "parking_")("event_streams", "Open streams of events.", [], (it) =>
    it.set(count()),
  );
  const help = "Streams of events that were cut off because their readers were too slow.";
  counterOf(registry, "parking_event_streams_dropped_total", help, dropped);
}

/** The rows of an answer; none if the database does not answer within the limits of the pool. */
const rowsOf = (pool: Pool, sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> =>
  pool.query(sql).then(
    ({ rows }) => rows,
    () => [],
  );

const ofJobs = {
  waiting: "Jobs that are due, by kind.",
  failing: "Jobs that failed and will be tried again, by kind.",
  given_up: "Jobs that were given up, by kind, as long as they are kept.",
  oldest_seconds: "How long the oldest job has been due, by kind.",
};

/**
 * The jobs of all processes, queried again for each scrape.
 * @param pool its own connection, as for the other queries of a scrape
 */
export function jobMetrics(pool: Pool, registry: Registry): () => Promise<void> {
  const gauge = gaugesIn(registry, "parking_jobs_");
  const gauges = Object.entries(ofJobs).map(
    ([name, help]) => [name, gauge(name, help, ["kind"])] as const,
  );
  return async () => {
    const rows = await rowsOf(pool, "select * from private.job_counts()");
    for (const [name, it] of gauges) {
      it.reset();
      for (const row of rows) it.set({ kind: String(row.kind) }, Number(row[name]));
    }
  };
}

/** What the database says about itself, by the names of the metrics; null if it does not apply. */
const ofDatabase = {
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

/**
 * What the database says about itself, queried again for each scrape. If it does not answer, the
 * scrape lacks only these values, and parking_database_up is 0.
 * @param pool its own connection, because a slow answer must not delay /readyz
 */
export function databaseMetrics(pool: Pool, registry: Registry): () => Promise<void> {
  const gauge = gaugesIn(registry, "parking_database_");
  const up = gauge("up", "Whether the database answered this scrape.");
  const gauges = Object.entries(ofDatabase).map(
    ([name, help]) => [name, gauge(name, help)] as const,
  );
  return async () => {
    const [values] = await rowsOf(pool, QUESTION);
    up.set(values ? 1 : 0);
    for (const [name, it] of gauges) {
      const value = values?.[name];
      // The old value of a gauge without one would look like a new one.
      if (typeof value === "number") it.set(value);
      else it.remove();
    }
  };
}

/** The pools that requests use, by the values of the labels. */
export type Pools = Readonly<Record<string, Pool>>;

/** The number of connections in use, and of requests that wait for one or for their turn. */
export function waitingMetrics(pools: Pools, registry: Registry): void {
  const gauge = gaugesIn(registry, "parking_");
  const all = Object.entries(pools);

  const connections = "Connections to the database, in use or idle.";
  gauge("pool_connections", connections, ["pool", "state"], (it) => {
    for (const [pool, { totalCount, idleCount }] of all) {
      it.set({ pool, state: "in_use" }, totalCount - idleCount);
      it.set({ pool, state: "idle" }, idleCount);
    }
  });
  gauge("pool_connections_max", "As many connections a pool may have.", ["pool"], (it) => {
    for (const [pool, { options }] of all) it.set({ pool }, options.max);
  });
  const waiting =
    "Requests that wait: for the processor, for a connection of a pool, for their turn with a row, or in the queue of GraphQL.";
  gauge("waiting", waiting, ["for"], (it) => {
    for (const [name, pool] of all) {
      const count = pool.waitingCount + boundsOf(pool).bound.waitingIn("connection");
      it.set({ for: `${name}_connection` }, count);
    }
    for (const name of ["processor", "turn", "graphql_queue"])
      it.set({ for: name }, waitingIn(name));
  });
}
