import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectFolder } from "../../src/project-folder.ts";

/** How many characters of a server's output are kept, for the message if it ends. */
const MOST_PRINTED = 10_000;

/** A server in a process of its own. Its log goes to a file, as an operator's would. */
export interface Program extends AsyncDisposable {
  readonly pid: number;
  readonly origin: string;
  readonly child: ChildProcess;
}

export interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Options of Node; without them those of this checkout's service, so that all have the same garbage collector. */
  readonly flags?: readonly string[];
}

/** Starts a file under this Node; the server says its address on standard error. */
export async function startProgram(
  file: string,
  { flags, ...options }: ProgramOptions = {},
): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), "bench-log-"));
  const log = createWriteStream(join(folder, "log"));
  await once(log, "open");
  const child = spawn(process.execPath, [...(flags ?? (await flagsOfStart(projectFolder))), file], {
    ...options,
    env: { ...options.env },
    stdio: ["ignore", log, "pipe", "ipc"],
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const exited = once(child, "exit").then(() => process.off("exit", kill));
  return {
    pid: child.pid ?? 0,
    origin: await originOf(child, file),
    child,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await exited;
      log.end();
      await rm(folder, { recursive: true });
    },
  };
}

/** The flags of Node that `npm start` has. */
export async function flagsOfStart(folder: string): Promise<readonly string[]> {
  const { scripts } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  return String(scripts.start).match(/--\S+/g) ?? [];
}

async function originOf(child: ChildProcess, file: string): Promise<string> {
  let printed = "";
  return new Promise((resolve, reject) => {
    child.stderr?.on("data", (chunk) => {
      printed = `${printed}${chunk}`.slice(-MOST_PRINTED);
      const [address] = /http:\S+(?=\n)/.exec(printed) ?? [];
      if (address !== undefined) resolve(new URL(address).origin);
    });
    child.once("exit", () => reject(new Error(`${file} ended: ${printed}`)));
  });
}
