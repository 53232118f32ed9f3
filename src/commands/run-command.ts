import { types } from "node:util";
import { printable } from "../errors/operator-error.ts";

/**
 * Runs a command and prints what went wrong: one line for what the operator can fix, and a stack
 * for a fault of the program. `usage` is printed where the arguments are wrong.
 */
export async function runCommand(
  usage: string,
  command: (args: readonly string[]) => Promise<void>,
): Promise<void> {
  try {
    await command(process.argv.slice(2));
  } catch (error) {
    const isUsage = isUsageError(error);
    console.error(isUsage ? `Usage: ${usage}` : printable(error));
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
