import type { Pool, PoolClient } from "pg";
import { clientLeft, overloaded } from "../errors/problem.ts";

/** More would fill the memory. */
const MOST_WAITING = 300;
/** Of the time that a request may wait for a connection: the rest is for a guess that is wrong. */
const SHARE_OF_PATIENCE = 0.5;

/** @throws Problem 503 where so many wait for a connection that the next would wait in vain */
export function refuseIfOverloaded(pool: Pool): void {
  if (pool.waitingCount >= mostWaiting(pool))
    throw overloaded("too many requests wait for a connection");
}

/** As many as get a connection in time if each holds it for as long as the others did lately. */
function mostWaiting(pool: Pool): number {
  const { max, connectionTimeoutMillis = 0 } = pool.options;
  const inTime = (max * connectionTimeoutMillis * SHARE_OF_PATIENCE) / holdingOf(pool).milliseconds;
  return Math.min(MOST_WAITING, Math.max(max, inTime));
}

interface Holding {
  /** For how long requests hold a connection: an average in which the last twenty count most. */
  milliseconds: number;
}

const holdings = new WeakMap<Pool, Holding>();

function holdingOf(pool: Pool): Holding {
  const known = holdings.get(pool);
  if (known) return known;
  const holding: Holding = { milliseconds: 0 };
  const since = new WeakMap<PoolClient, number>();
  pool.on("acquire", (client) => since.set(client, performance.now()));
  pool.on("release", (_error, client) => {
    const start = since.get(client);
    if (start === undefined) return;
    holding.milliseconds += (performance.now() - start - holding.milliseconds) / 20;
  });
  holdings.set(pool, holding);
  return holding;
}

/**
 * A connection, once it is the caller's turn. The pool limits how long that may take.
 *
 * @param isGone says whether the client has left: nobody would read the answer
 * @throws Problem 503 at once where too many wait already
 */
export async function connect(pool: Pool, isGone?: () => boolean): Promise<PoolClient> {
  refuseIfOverloaded(pool);
  const client = await pool.connect();
  if (!isGone?.()) return client;
  client.release();
  throw clientLeft();
}
