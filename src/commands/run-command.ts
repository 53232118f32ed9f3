/** Runs a command that takes exactly one argument; says what went wrong in a line, without a stack. */
export async function runCommand(
  usage: string,
  command: (arguments_: readonly [string]) => Promise<void>,
): Promise<void> {
  const [argument, ...others] = process.argv.slice(2);
  if (!argument || others.length > 0) {
    console.error(`Usage: ${usage}`);
    process.exitCode = 2;
    return;
  }
  try {
    await command([argument]);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
