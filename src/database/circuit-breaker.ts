import { DatabaseError, type Pool } from "pg";
import { oncePer } from "../lazy.ts";
import { Limiter } from "./limiter.ts";

/** Runs an operation on the table. It learns whether it is the one that finds out. */
type CircuitBreaker = <T>(
  use: (tries: boolean) => Promise<T>,
  kind: "read" | "write",
) => Promise<T>;

/**
 * Leaves the connections to other operations while a table is locked against everything, as a
 * migration or `lock table` in psql does. Each request that needs the table then holds a connection
 * for as long as locks are waited for. So after the first read that waited in vain, one operation on
 * the table at a time finds out whether the lock is gone.
 *
 * Only reads show that: they wait for no row, and what a write waited for PostgreSQL does not say.
 */
function createCircuitBreaker(table: string): CircuitBreaker {
  let isLocked = false;
  const trial = new Limiter({
    name: "trial",
    ofAll: { running: 1, waiting: 0 },
    patienceMs: 0,
    reasons: [`the table is locked: ${table}`, ""],
  });
  return (use, kind) => {
    const attempt = async (tries: boolean) => {
      try {
        const result = await use(tries);
        isLocked = false;
        return result;
      } catch (error) {
        if (kind === "read") isLocked ||= isLockTimeout(error);
        if (isRefusal(error)) isLocked = false;
        throw error;
      }
    };
    return isLocked ? trial.run(() => attempt(true)) : attempt(false);
  };
}

const isLockTimeout = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === "55P03";

/**
 * A rule of the table refused: a constraint (class 23) or a policy. It was reached, as by a success.
 * Of class 23 only a constraint names its table, of 42501 only a policy names no constraint: functions
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
