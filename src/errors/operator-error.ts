import { types } from "node:util";
import { DatabaseError } from "pg";
import { errorsIn, reasonOf } from "./reason.ts";

/**
 * A problem that the operator can fix: a wrong setting, a database that is too old, a port or
 * folder in use. The message says what to do, so it is printed without a stack.
 */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
}

/**
 * There are two possible causes, and the service's role cannot tell them apart: a migration has not
 * run, or a later version's migration removed what this version calls.
 */
export const otherVersion = (what: string): OperatorError =>
  new OperatorError(
    `${what}: it is older than this service, or newer. npm run migrate mends an older one, and warns of a newer one: docs/upgrades.md has the way back`,
  );

/** What to print for an error that ends a program: one line for the operator, or else all of it. */
export const printable = (error: unknown): unknown =>
  isForOperator(error) ? reasonOf(error) : error;

/**
 * Whether the operator can fix the error: an OperatorError, a server that cannot be reached, a file
 * that cannot be read, a login that PostgreSQL refuses, an account that does not exist (P0002), a
 * full disk or no free connection (53), or a missing or damaged file of PostgreSQL (58, XX001,
 * XX002).
 */
export const isForOperator = (error: unknown): boolean =>
  error instanceof OperatorError ||
  (error instanceof DatabaseError &&
    /^(08|28|3D|53|57P|58|P0002|XX00[12])/.test(error.code ?? "")) ||
  errorsIn(error).some((it) => types.isNativeError(it) && "syscall" in it);
