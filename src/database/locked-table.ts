import { DatabaseError } from "pg";
import { overloaded } from "../errors/problem.ts";

/** Runs an operation on the table. It learns whether it is the one that finds out. */
type Guard = <T>(use: (tries: boolean) => Promise<T>, kind: "read" | "write") => Promise<T>;

/**
 * Leaves the connections to other operations while a table is locked against everything, as a
 * migration or `lock table` in psql does. Each request that needs the table then holds a connection
 * for as long as locks are waited for. So after the first read that waited in vain, one operation on
 * the table at a time finds out whether the lock is gone.
 *
 * Only reads show that: they wait for no row, and what a write waited for PostgreSQL does not say.
 */
function oneAtATimeWhileLocked(name: string): Guard {
  let isLocked = false;
  let isTried = false;
  return async (use, kind) => {
    const tries = isLocked;
    if (tries && isTried) throw overloaded(`the table is locked: ${name}`);
    if (tries) isTried = true;
    try {
      const result = await use(tries);
      isLocked = false;
      return result;
    } catch (error) {
      if (kind === "read") isLocked ||= isLockTimeout(error);
      if (isRefusal(error)) isLocked = false;
      throw error;
    } finally {
      if (tries) isTried = false;
    }
  };
}

const isLockTimeout = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === "55P03";

/** A rule of the table refused: a constraint (class 23) or a policy. It was reached, as by a success. */
const isRefusal = (error: unknown): boolean =>
  error instanceof DatabaseError && /^(23|42501$)/.test(error.code ?? "");

const guards = new Map<string, Guard>();

/** The same guard for all operations on a table; one that names no table has its own. */
export function guardOf(name: string): Guard {
  const guard = guards.get(name) ?? oneAtATimeWhileLocked(name);
  guards.set(name, guard);
  return guard;
}
