import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "@jest/globals";
import { projectFolder } from "../../src/project-folder.ts";
import { environment } from "../support/environment.ts";
import { until } from "../support/waiting.ts";

it("a service whose embedded PostgreSQL is killed says so, and serves again", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "parking-killed-"));
  const child = spawn(process.execPath, ["src/main.ts"], {
    cwd: projectFolder,
    env: { ...environment, PORT: "0", DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  const log: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => log.push(line));
  let printed = "";
  child.stderr.on("data", (text) => {
    printed += String(text);
  });
  await until("an address", () => /http:\S+\n/.test(printed));
  const { origin } = new URL(/http:\S+/.exec(printed)?.[0] ?? "");
  const isReady = async () => (await fetch(`${origin}/readyz`)).status === 200;
  await until("a PostgreSQL", isReady);

  const pidFile = await readFile(join(dataDir, "cluster/data/postmaster.pid"), "utf8");
  process.kill(Number.parseInt(pidFile, 10), "SIGKILL");
  await until("the end of PostgreSQL", async () => !(await isReady()));
  await until("another PostgreSQL", isReady);

  const errors = log.filter((line) => line.includes('"error"')).join("\n");
  expect(errors).toContain("the embedded PostgreSQL ended and is started again");
  child.kill("SIGTERM");
  expect(await exited).toEqual([0, null]);
  await rm(dataDir, { recursive: true });
});
