import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { projectFolder } from "../../src/project-folder.ts";
import type { Building } from "../../test/support/building.ts";
import { limitProcessor, onItsProcessor } from "./processor.ts";

/** The service as a process of its own, and what it uses. */
export interface Measured {
  readonly origin: string;
  /** In MB. */
  memory(): number;
  logged(): number;
  /** Processor time so far, in seconds. */
  processorTime(): number;
  stop(): Promise<void>;
}

/** @param share of one processor, which the service then has to itself; else it shares all of them */
export async function startMeasured(
  { database, service }: Building,
  share?: number,
): Promise<Measured> {
  const { issuer, audience } = service.issuer;
  const logFile = join(tmpdir(), `overload-${process.pid}.log`);
  const log = await open(logFile, "w");
  const node = [process.execPath, "--max-semi-space-size=8", "src/main.ts"];
  const [file = "", ...args] = share === undefined ? node : [...onItsProcessor, ...node];
  const child = spawn(file, args, {
    cwd: projectFolder,
    env: {
      DATABASE_URL: database.url("parking_api"),
      AUTH_ISSUER: issuer,
      AUTH_AUDIENCE: audience,
      PORT: "0",
      RATE_LIMIT_PER_MINUTE: "0",
      RATE_LIMIT_PER_HOUR: "0",
    },
    stdio: ["ignore", log.fd, "pipe"],
  });
  process.once("exit", () => child.kill("SIGKILL"));
  let printed = "";
  child.stderr?.on("data", (text) => {
    printed += String(text);
  });
  while (!/http:\S+\n/.test(printed)) await sleep(20);
  const { origin } = new URL(/http:\S+/.exec(printed)?.[0] ?? "");

  const unlimit = share === undefined ? () => {} : limitProcessor(child.pid, share);
  const proc = (file: string) => readFileSync(`/proc/${child.pid}/${file}`, "utf8");
  return {
    origin,
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(proc("status"))?.[1]) / 1024,
    logged: () => statSync(logFile).size / 2 ** 20,
    processorTime: () => {
      const fields = proc("stat")
        .replace(/^.*\) /, "")
        .split(" ");
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    stop: async () => {
      child.kill("SIGTERM");
      await once(child, "exit");
      unlimit();
      await log.close();
      await rm(logFile);
    },
  };
}
