import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { projectFolder } from "../../src/project-folder.ts";
import type { Building } from "../../test/support/building.ts";

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

export async function startMeasured({ database, service }: Building): Promise<Measured> {
  const { issuer, audience } = service.issuer;
  const logFile = join(tmpdir(), `overload-${process.pid}.log`);
  const log = await open(logFile, "w");
  const child = spawn(process.execPath, ["--max-semi-space-size=4", "src/main.ts"], {
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
      await log.close();
      await rm(logFile);
    },
  };
}
