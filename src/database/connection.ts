import type { Pool, PoolClient } from "pg";
import { clientLeft, overloaded } from "../errors/problem.ts";
import { oncePer } from "../lazy.ts";
import { Limiter, Pace } from "./limiter.ts";

/** Of the connections, those that may wait for one row: other rows always have some left. */
const SHARE_OF_A_ROW = 1 / 3;
/** Of the connections, those that are left to reads: commits may all wait, as for a lost standby. */
const SHARE_OF_READS = 1 / 3;

/** Who waits for a turn waits here and not in the database, where each wait takes a connection. */
export const limitersOf = oncePer(({ options }: Pool) => {
  const { max, connectionTimeoutMillis = 0 } = options;
  const turns = { name: "turn", patienceMs: connectionTimeoutMillis };
  return {
    /** Of what changes the same row. */
    rows: new Limiter({
      ...turns,
      ofOne: { running: Math.ceil(max * SHARE_OF_A_ROW), waiting: 100 },
      reasons: [
        "too many requests wait for one row",
        "the requests before it took too long with their row",
      ],
    }),
    writes: new Limiter({
      ...turns,
      ofAll: { running: max - Math.floor(max * SHARE_OF_READS), waiting: 100 },
      reasons: ["too many writes wait for a connection", "the writes before it took too long"],
    }),
  };
});

/** Why the next would be refused, if it would: those who wait for a connection are too many. */
export function overloadOfPool(pool: Pool): string | undefined {
  const { max, connectionTimeoutMillis = 0 } = pool.options;
  const most = paceOf(pool).mostWaiting(max, connectionTimeoutMillis);
  return pool.waitingCount >= most ? "too many requests wait for a connection" : undefined;
}

/** For how long requests hold a connection. */
const paceOf = oncePer((pool: Pool) => {
  // The first requests of a process take longer than the others: they count little.
  const pace = new Pace(0);
  const since = new WeakMap<PoolClient, number>();
  pool.on("acquire", (client) => since.set(client, performance.now()));
  pool.on("release", (_error, client) => {
    const start = since.get(client);
    if (start !== undefined) pace.note(performance.now() - start);
  });
  return pace;
});

/**
 * A connection, once it is the caller's turn. The pool limits how long that may take.
 *
 * @param isGone says whether the client has left: nobody would read the answer
 * @throws Problem 503 at once where too many wait already
 */
export async function connect(pool: Pool, isGone?: () => boolean): Promise<PoolClient> {
  const reason = overloadOfPool(pool);
  if (reason !== undefined) throw overloaded(reason);
  const client = await pool.connect();
  if (!isGone?.()) return client;
  client.release();
  throw clientLeft();
}
