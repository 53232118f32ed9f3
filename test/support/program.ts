import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { projectFolder } from "../../src/project-folder.ts";
import { environment } from "./environment.ts";
import { type Answer, type Failure, type Person, requestJson } from "./person.ts";
import type { TestIssuer } from "./tokens.ts";

/** The service as a process of its own, as an operator runs it. */
export interface Program {
  /** Such as http://127.0.0.1:40123 */
  readonly origin: string;
  readonly pid: number | undefined;
  /** The lines of its log so far. */
  readonly log: readonly string[];
  isRunning(): boolean;
  /** One request to the API. */
  ask(
    person: Pick<Person, "token">,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer<Failure>>;
  stop(): Promise<void>;
  /** Ends it as a lack of memory does: at once, whatever it is doing. */
  kill(): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

/** What the program needs to know of a building. */
export interface Home {
  readonly database: { url(role: "parking_api"): string };
  readonly service: { readonly issuer: Pick<TestIssuer, "issuer" | "audience"> };
}

/** For tests that ask for more than a person may. */
export const noRateLimits: Settings = {
  RATE_LIMIT_PER_MINUTE: "0",
  RATE_LIMIT_PER_HOUR: "0",
  PROFILE_RATE_LIMIT_PER_MINUTE: "0",
  PROFILE_RATE_LIMIT_PER_HOUR: "0",
};

/**
 * Starts the program on the database of a building; it accepts the tokens of the building's people.
 * The log is empty unless the settings have a LOG_LEVEL; given one, a test can read it during the start.
 *
 * @param command becomes the program that its arguments name, after it has changed its surroundings
 * @param folder where the program is
 */
export async function startProgram(
  { database, service: { issuer } }: Home,
  settings: Settings = {},
  log: string[] = [],
  command: readonly [string, ...string[]] = [process.execPath],
  folder = projectFolder,
): Promise<Program> {
  const [file, ...args] = command;
  const child = spawn(file, [...args, "src/main.ts"], {
    cwd: folder,
    env: {
      ...environment,
      DATABASE_URL: database.url("parking_api"),
      AUTH_ISSUER: issuer.issuer,
      AUTH_AUDIENCE: issuer.audience,
      PORT: "0",
      LOG_LEVEL: "silent",
      PREPARED_STATEMENTS: process.env.TEST_PREPARED_STATEMENTS ?? "true",
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  createInterface({ input: child.stdout }).on("line", (line) => log.push(line));
  // A test that fails while the program starts must not leave it behind.
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  const origin = await originOf(child);

  return {
    origin,
    pid: child.pid,
    log,
    isRunning: () => isRunning(child),
    ask: (person, method, path, body) =>
      requestJson(origin, method, `/api${path}`, { token: person.token, body }),
    stop: () => end(child, "SIGTERM"),
    kill: () => end(child, "SIGKILL"),
  };
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;

async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (!isRunning(child)) return;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
}

/** The program prints its address on standard error. */
async function originOf(child: ChildProcess): Promise<string> {
  let printed = "";
  return new Promise((resolve, reject) => {
    child.stderr?.on("data", (chunk) => {
      printed += String(chunk);
      const [address] = /http:\S+(?=\n)/.exec(printed) ?? [];
      if (address !== undefined) resolve(new URL(address).origin);
    });
    child.once("exit", () => reject(new Error(`the program ended: ${printed}`)));
  });
}
