import { types } from "node:util";
import { DatabaseError } from "pg";
import { OperatorError } from "../errors/operator-error.ts";

/**
 * Runs a command and says what went wrong: one line for what the operator can mend, and a stack for
 * what is our fault. `usage` is printed where the arguments are wrong.
 */
export async function runCommand(
  usage: string,
  command: (args: readonly string[]) => Promise<void>,
): Promise<void> {
  try {
    await command(process.argv.slice(2));
  } catch (error) {
    const isUsage = isUsageError(error);
    console.error(isUsage ? `Usage: ${usage}` : isOperational(error) ? error.message : error);
    process.exitCode = isUsage ? 2 : 1;
  }
}

class UsageError extends Error {}

/** The one argument of a command that takes exactly one. */
export function onlyArgument(args: readonly string[]): string {
  const [argument, ...others] = args;
  if (!argument || others.length > 0) return wrongUsage();
  return argument;
}

/** Ends the command with its usage. */
export function wrongUsage(): never {
  throw new UsageError();
}

const isUsageError = (error: unknown): boolean =>
  error instanceof UsageError ||
  // Thrown by parseArgs of node:util.
  (types.isNativeError(error) && "code" in error && /^ERR_PARSE_ARGS/.test(String(error.code)));

/**
 * What the operator can mend: beside our own OperatorErrors a server that cannot be reached, a file
 * that cannot be read, a login that PostgreSQL refuses, and an account that is not there (P0002).
 */
const isOperational = (error: unknown): error is Error =>
  error instanceof OperatorError ||
  (error instanceof DatabaseError && /^(08|28|3D|57P|P0002)/.test(error.code ?? "")) ||
  (types.isNativeError(error) && "syscall" in error && error.message !== "");
