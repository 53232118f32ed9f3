import { types } from "node:util";
import { printable } from "../errors/operator-error.ts";

/**
 * Runs a command and prints what went wrong: one line for what the operator can fix, and a stack
 * for a fault of the program. `usage` is printed where the arguments are wrong, as any is for a command
 * that takes none: who asks for --help must not drop a database.
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

/** The one argument of a command that takes exactly one, and no options. */
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
  // Thrown by parseArgs of node:util.
  (types.isNativeError(error) && "code" in error && /^ERR_PARSE_ARGS/.test(String(error.code)));
