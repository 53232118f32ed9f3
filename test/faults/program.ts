import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { projectFolder } from "../../src/project-folder.ts";
import { until } from "../concurrency/waiting.ts";
import type { Building } from "../support/building.ts";
import { type Answer, type Failure, type Person, requestJson } from "../support/person.ts";

/** The service as a process of its own, as people run it. It knows the tokens of the building. */
export interface Program {
  /** Where it answers, such as http://127.0.0.1:40123 */
  readonly origin: string;
  /** What it wrote to its log so far. */
  readonly log: readonly string[];
  isRunning(): boolean;
  /** One request to the API. */
  ask(person: Person, method: string, path: string, body?: unknown): Promise<Answer<Failure>>;
  stop(): Promise<void>;
}

export async function startProgram(
  building: Building,
  databaseUrl = building.database.url("parking_api"),
): Promise<Program> {
  const { issuer, audience } = building.service.issuer;
  const child = spawn(process.execPath, ["src/main.ts"], {
    cwd: projectFolder,
    env: {
      DATABASE_URL: databaseUrl,
      AUTH_ISSUER: issuer,
      AUTH_AUDIENCE: audience,
      PORT: "0",
      LOG_LEVEL: "trace",
      RATE_LIMIT_PER_MINUTE: "0",
      RATE_LIMIT_PER_HOUR: "0",
      PROFILE_RATE_LIMIT_PER_MINUTE: "0",
      PROFILE_RATE_LIMIT_PER_HOUR: "0",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const log: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => log.push(line));
  const { origin } = new URL(await addressOf(child));

  return {
    origin,
    log,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    ask: (person, method, path, body) =>
      requestJson(origin, method, `/api${path}`, { token: person.token, body }),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
    },
  };
}

/** The program says on standard error where it answers. */
async function addressOf(child: ChildProcess): Promise<string> {
  let said = "";
  child.stderr?.on("data", (chunk) => {
    said += String(chunk);
  });
  await until("an address on standard error", async () => {
    if (child.exitCode !== null) throw new Error(`the program ended: ${said}`);
    return /http:\S+\n/.test(said);
  });
  return /http:\S+/.exec(said)?.[0] ?? "";
}
