import { DatabaseError, type Pool } from "pg";
import { MOST_WAITING } from "./connection.ts";
import { inTurn } from "./turns.ts";

/** Of the connections, those that one operation may have. */
const SHARE_OF_AN_OPERATION = 1 / 2;

export type Share = <T>(use: () => Promise<T>) => Promise<T>;

export const all: Share = (use) => use();

/**
 * Limits how many connections one operation has, whatever it waits for.
 *
 * Where a table is locked, by a migration or by a person in psql, everything that needs it waits
 * for as long as locks are waited for, each with a connection. After the first time one at a time
 * finds out whether that is over, so that all operations on the table together leave some to others.
 */
export function shareOf(pool: Pool): Share {
  const { max } = pool.options;
  const most = Math.ceil(max * SHARE_OF_AN_OPERATION);
  if (most === max) return all;
  const key = Symbol("operation");
  let isLocked = false;
  const places = { running: () => (isLocked ? 1 : most), waiting: MOST_WAITING };

  const watch = async <T>(use: () => Promise<T>): Promise<T> => {
    try {
      const result = await use();
      isLocked = false;
      return result;
    } catch (error) {
      isLocked ||= isAboutTable(error);
      throw error;
    }
  };
  return (use) => inTurn(key, places, () => watch(use));
}

/** Whether a statement waited in vain for a lock. If it was a row's, PostgreSQL names its tuple. */
const isAboutTable = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === "55P03" && !/ tuple /.test(error.where ?? "");
