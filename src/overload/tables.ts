import { DatabaseError, type Pool } from "pg";
import { overloaded } from "../errors/problem.ts";
import { oncePer } from "../lazy.ts";

/** Runs an operation on the table. `isTrial` says whether it is the one that tries a locked table. */
type CircuitBreaker = <T>(
  use: (isTrial: boolean) => Promise<T>,
  kind: "read" | "write",
) => Promise<T>;

/**
 * Leaves the connections to other operations while a table is locked against everything, as by a
 * migration: each request for the table would hold a connection until lock_timeout. After the first
 * read that waited in vain, one operation at a time finds out whether the lock is gone. Only reads
 * show that, for they wait for no row.
 */
function createCircuitBreaker(table: string): CircuitBreaker {
  let isLocked = false;
  let isTried = false;
  return async (use, kind) => {
    const attempt = async (isTrial: boolean) => {
      try {
        const result = await use(isTrial);
        isLocked = false;
        return result;
      } catch (error) {
        if (kind === "read") isLocked ||= isLockTimeout(error);
        if (isRefusal(error)) isLocked = false;
        throw error;
      }
    };
    if (!isLocked) return attempt(false);
    if (isTried) throw overloaded(`the table is locked: ${table}`);
    isTried = true;
    try {
      return await attempt(true);
    } finally {
      isTried = false;
    }
  };
}

const isLockTimeout = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === "55P03";

/**
 * Whether a rule of the table refused, a constraint (class 23) or a policy: the table was reached. Of
 * class 23 only a constraint names its table. Of 42501 only a policy names no constraint: functions
 * such as private.require_approved refuse before any table is reached.
 */
const isRefusal = (error: unknown): boolean =>
  error instanceof DatabaseError &&
  ((error.code?.startsWith("23") && error.table !== undefined) ||
    (error.code === "42501" && error.constraint === undefined));

const breakersOf = oncePer((_pool: Pool) => new Map<string, CircuitBreaker>());

/** The same for all operations on a table of the pool's database; one that names no table has its own. */
export function circuitBreakerOf(pool: Pool, name: string): CircuitBreaker {
  const breakers = breakersOf(pool);
  const breaker = breakers.get(name) ?? createCircuitBreaker(name);
  breakers.set(name, breaker);
  return breaker;
}
