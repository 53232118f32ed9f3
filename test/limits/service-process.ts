import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Building } from "../support/building.ts";

export interface ServiceProcess {
  /** Such as http://127.0.0.1:40123 */
  readonly origin: string;
  stop(): Promise<void>;
}

const main = new URL("../../src/main.ts", import.meta.url).pathname;

/** The service as it is started by hand, on the database of a building and with its people. */
export async function startProcess(
  { database, service: { issuer } }: Building,
  settings: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [main], {
    env: {
      PORT: "0",
      DATABASE_URL: database.url("parking_api"),
      AUTH_ISSUER: issuer.issuer,
      AUTH_AUDIENCE: issuer.audience,
      LOG_LEVEL: "silent",
      ...settings,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = once(child, "exit");
  for await (const line of createInterface(child.stderr)) {
    const origin = /at (http:\S+)\/api$/.exec(line)?.[1];
    if (origin === undefined) throw new Error(line);
    return {
      origin,
      async stop() {
        child.kill();
        await exited;
      },
    };
  }
  throw new Error("the service ended without a word");
}
