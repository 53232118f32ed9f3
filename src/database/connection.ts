import type { Pool, PoolClient } from "pg";
import { clientLeft, overloaded } from "../errors/problem.ts";
import { mostInTime, note, type Pace } from "./pace.ts";

/** More would fill the memory. */
const MOST_WAITING = 300;

/** Why a request is refused: so many wait for a connection that the next would wait in vain. */
export function reasonToRefuse(pool: Pool): string | undefined {
  const { max, connectionTimeoutMillis = 0 } = pool.options;
  const most = Math.min(MOST_WAITING, mostInTime(paceOf(pool), max, connectionTimeoutMillis));
  return pool.waitingCount >= most ? "too many requests wait for a connection" : undefined;
}

/** @throws Problem 503 where the next would wait in vain */
export function refuseIfOverloaded(pool: Pool): void {
  const reason = reasonToRefuse(pool);
  if (reason !== undefined) throw overloaded(reason);
}

const paces = new WeakMap<Pool, Pace>();

/** For how long requests hold a connection. */
function paceOf(pool: Pool): Pace {
  const known = paces.get(pool);
  if (known) return known;
  // The first requests of a process take longer than the others: they count little.
  const pace: Pace = { milliseconds: 0 };
  const since = new WeakMap<PoolClient, number>();
  pool.on("acquire", (client) => since.set(client, performance.now()));
  pool.on("release", (_error, client) => {
    const start = since.get(client);
    if (start !== undefined) note(pace, performance.now() - start);
  });
  paces.set(pool, pace);
  return pace;
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
