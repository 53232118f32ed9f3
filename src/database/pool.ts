import { type ClientBase, Pool, type PoolConfig } from "pg";
import { oncePer } from "../lazy.ts";
import type { Logger } from "../log/logger.ts";
import { type Notice, noticeSlowStatements } from "../log/slow-statements.ts";
import { Bound, linesOf } from "../overload/bound.ts";
import type { WaitingCommits } from "../overload/commits.ts";

declare module "pg" {
  interface PoolConfig {
    /** An option that pg only keeps: whether statements may have names. */
    preparedStatements?: boolean;
    /** Another one: hears how long the database took for statements. */
    notice?: Notice | undefined;
    /** Another one: knows whether commits wait for a standby. */
    commits?: WaitingCommits | undefined;
  }
}

/** The settings that the connections of a service and of its jobs are made by. */
interface PoolSettings {
  readonly preparedStatements: boolean;
  readonly slowStatementMilliseconds: number;
}

export const poolOptions = (
  { preparedStatements, slowStatementMilliseconds }: PoolSettings,
  logger: Logger,
) => ({ preparedStatements, notice: noticeSlowStatements(slowStatementMilliseconds, logger) });

/** The server only reads, as after a failover: a new connection may lead to the one that writes. */
export const READ_ONLY = "25006";

/** The service's connections, each of which sends a request's statements together. */
export function createPool(url: string, logger: Logger, options: PoolConfig = {}): Pool {
  const pool = new Pool({
    connectionString: url,
    max: 10,
    application_name: "parking",
    pipeline: true,
    // The server gives up first (statement_timeout of parking_api); this is for one that is gone.
    query_timeout: 15_000,
    // To connect, or for a connection that is in use.
    connectionTimeoutMillis: 1_000,
    keepAlive: true,
    preparedStatements: true,
    ...options,
  });
  // An idle connection that breaks would otherwise end the process; the pool makes a new one.
  pool.on("error", ({ message }) => logger.warn({ reason: message }, "database connection lost"));
  // So would one that breaks in use; its user learns it from the statement that fails.
  pool.on("connect", (client) => client.on("error", () => {}));
  leaveServersThatOnlyRead(pool);
  return pool;
}

const givenUp = new WeakSet<ClientBase>();

/** Sends nothing more there: the connection ends when its user releases it. */
export const giveUp = (client: ClientBase): void => void givenUp.add(client);

export const isGivenUp = (client: ClientBase): boolean => givenUp.has(client);

const openOf = oncePer((_pool: Pool) => new Set<ClientBase>());

/** Whether a connection is open, idle or in use. */
export const hasConnection = (pool: Pool): boolean => openOf(pool).size > 0;

/** Gives up all connections when one meets a server that only reads: new ones may lead to another. */
function leaveServersThatOnlyRead(pool: Pool): void {
  const open = openOf(pool);
  const giveUpAll = (): void => {
    open.forEach(giveUp);
    for (let { idleCount } = pool; idleCount > 0; idleCount--) {
      pool.connect().then(
        (client) => client.release(),
        () => {}, // the pool is about to end
      );
    }
  };
  pool.on("connect", (client) => {
    open.add(client);
    client.connection.on("errorMessage", ({ code }) => {
      if (code === READ_ONLY) giveUpAll();
    });
  });
  pool.on("release", (_error, client) => {
    if (givenUp.has(client)) void client.end(); // the pool keeps none that has ended
  });
  pool.on("remove", (client) => open.delete(client));
}

/** A connection that requests cannot take, for the one question whether the database serves. */
export const createHealthPool = (url: string, logger: Logger): Pool =>
  createPool(url, logger, { max: 1, query_timeout: 1_000 });

/** More connections would each carry fewer reads, and wake more processes of PostgreSQL. */
const MOST_FOR_READS = 3;
/** A read that takes long holds up those behind it on its connection: no more than these. */
export const MOST_TOGETHER = 8;

/** Requests wait for a connection here and not in the database, where each wait takes one. */
export const boundsOf = oncePer(({ options }: Pool) => {
  const { max, connectionTimeoutMillis = 0 } = options;
  const turn = { name: "turn", most: 100 };
  const connection = { name: "connection", turns: 20 };
  const ofReads = Math.min(MOST_FOR_READS, Math.ceil(max / 3));
  return {
    bound: new Bound(connectionTimeoutMillis, "the requests before it took too long"),
    /** Those that change one row: other rows always have some connections left. */
    rows: linesOf({
      ...turn,
      running: Math.ceil(max / 3),
      full: "too many requests wait for one row",
    }),
    /** A third is left to reads: commits may all wait, as for a lost standby. */
    writes: linesOf({
      ...turn,
      running: max - Math.floor(max / 3),
      full: "too many writes wait for a connection",
    }),
    /** Short reads, which go down one connection together. */
    reads: linesOf({
      ...connection,
      running: ofReads,
      fewest: ofReads * MOST_TOGETHER,
      full: "too many reads wait for a connection",
    }),
    all: linesOf({ ...connection, running: max, full: "too many requests wait for a connection" }),
  };
});

/** Why a call of this kind would be refused, if it would: known before any work is done for it. */
export function overloadOf(pool: Pool, kind: "read" | "write"): string | undefined {
  const { bound, reads, writes, all } = boundsOf(pool);
  if (kind === "read") return bound.overload(reads(), all());
  return pool.options.commits?.overload() ?? bound.overload(writes(), all());
}
