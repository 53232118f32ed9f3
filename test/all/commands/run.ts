import { type ChildProcess, type ExecFileException, execFile } from "node:child_process";
import { projectFolder } from "../../../src/project-folder.ts";
import { environment } from "../../support/environment.ts";

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<Outcome>;
}

/** Starts a program of src, such as commands/admin. */
export function start(
  program: string,
  args: readonly string[],
  settings: NodeJS.ProcessEnv = {},
  cwd = projectFolder,
): Running {
  const { promise: ended, resolve } = Promise.withResolvers<Outcome>();
  const done = (error: ExecFileException | null, stdout: string, stderr: string) =>
    resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
  const options = { cwd, env: { ...environment, ...settings }, maxBuffer: 2 ** 26 };
  return {
    process: execFile(process.execPath, [`src/${program}.ts`, ...args], options, done),
    ended,
  };
}

/** Runs a command of src/commands to its end. */
export const runCommand = (
  command: string,
  args: readonly string[],
  settings?: NodeJS.ProcessEnv,
): Promise<Outcome> => start(`commands/${command}`, args, settings).ended;
