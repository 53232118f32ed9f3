import { DatabaseError } from "pg";
import { overloaded } from "../errors/problem.ts";

/**
 * Leaves the connections to other operations while a table is locked against everything, as a
 * migration or `lock table` in psql does. Each request that needs the table then holds a connection
 * for as long as locks are waited for. So after the first that waited in vain, one at a time finds
 * out whether the lock is gone.
 *
 * @returns a function that runs one operation
 */
export function oneAtATimeWhileLocked(): <T>(use: () => Promise<T>) => Promise<T> {
  let isLocked = false;
  let isTried = false;
  return async (use) => {
    const tries = isLocked;
    if (tries && isTried) throw overloaded("a table is locked");
    if (tries) isTried = true;
    try {
      const result = await use();
      isLocked = false;
      return result;
    } catch (error) {
      isLocked ||= isAboutTable(error);
      throw error;
    } finally {
      if (tries) isTried = false;
    }
  };
}

/** Whether a statement waited in vain for a lock. If it was a row's, PostgreSQL names its tuple. */
const isAboutTable = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === "55P03" && !/ tuple /.test(error.where ?? "");
