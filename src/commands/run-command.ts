import { types } from "node:util";
import { printable } from "../errors/operator-error.ts";

/**
 * Runs a command and prints what went wrong: one line for what the operator can fix, and a stack
 * for a fault of the program. Wrong arguments print `usage`. All arguments are wrong for a command
 * that takes none: `--help` must not drop a database.
 */
export async function runCommand(
  usage: string,
  command: (args: readonly string[]) => Promise<void>,
): Promise<void> {
  try {
    const args = process.argv.slice(2);
    if (command.length === 0 && args.length > 0) wrongUsage();
    await command(args);
  } catch (error) {
    const isUsage = isUsageError(error);
    console.error(isUsage ? `Usage: ${usage}` : printable(error));
    process.exitCode = isUsage ? 2 : 1;
  }
}

class UsageError extends Error {}

/** The argument of a command that takes exactly one argument and no options. */
export function onlyArgument(args: readonly string[]): string {
  const [argument, ...others] = args;
  if (!argument || argument.startsWith("-") || others.length > 0) return wrongUsage();
  return argument;
}

/** Ends the command with its usage. */
export function wrongUsage(): never {
  throw new UsageError();
}

const isUsageError = (error: unknown): boolean =>
  error instanceof UsageError ||
  // parseArgs of node:util throws these errors.
  (types.isNativeError(error) && "code" in error && /^ERR_PARSE_ARGS/.test(String(error.code)));
