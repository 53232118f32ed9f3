import type { Pool, PoolClient } from "pg";
import { clientLeft, overloaded } from "../errors/problem.ts";

/** More would wait for longer than a client wants an answer, and fill the memory meanwhile. */
export const MOST_WAITING = 300;

/** @throws Problem 503 where so many wait for a connection that the next would wait in vain */
export function refuseIfOverloaded(pool: Pool): void {
  if (pool.waitingCount >= MOST_WAITING)
    throw overloaded("too many requests wait for a connection");
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
