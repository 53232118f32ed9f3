import { DatabaseError, type Pool } from "pg";
import { overloaded } from "../errors/problem.ts";
import { oncePer } from "../lazy.ts";

const statesOf = oncePer(
  (_pool: Pool) => new Map<string, { isLocked: boolean; isTried: boolean }>(),
);

/**
 * Leaves the connections to other calls while a table is locked against everything, as by a
 * migration: each call for the table would hold a connection until lock_timeout. After the first read
 * that waited in vain, one call at a time finds out whether the lock is gone. Only reads show that,
 * for they wait for no row.
 *
 * @param use gets whether it is the one that tries a locked table
 * @throws Problem 503 while another one tries it
 */
export async function unlessLocked<T>(
  pool: Pool,
  table: string | undefined,
  isRead: boolean,
  use: (isTrial: boolean) => Promise<T>,
): Promise<T> {
  if (table === undefined) return use(false);
  const states = statesOf(pool);
  const state = states.get(table) ?? { isLocked: false, isTried: false };
  states.set(table, state);
  const isTrial = state.isLocked;
  if (isTrial && state.isTried) throw overloaded(`the table is locked: ${table}`);
  if (isTrial) state.isTried = true;
  try {
    const result = await use(isTrial);
    state.isLocked = false;
    return result;
  } catch (error) {
    if (isRead && isLockTimeout(error)) state.isLocked = true;
    if (isRefusal(error)) state.isLocked = false;
    throw error;
  } finally {
    if (isTrial) state.isTried = false;
  }
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
