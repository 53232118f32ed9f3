import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "@jest/globals";
import { projectFolder } from "../../../src/project-folder.ts";
import { environment } from "../../support/environment.ts";
import { until } from "../../support/waiting.ts";

interface EmbeddedService {
  /** The folder of PostgreSQL's own files. */
  readonly data: string;
  /** The errors in its log so far. */
  readonly errors: () => readonly string[];
  readonly isReady: () => Promise<boolean>;
  /** Kills PostgreSQL. */
  readonly kill: () => Promise<void>;
  /** Its exit code and the signal that ended it, if one did. */
  readonly stop: () => Promise<unknown>;
}

/** Starts a service with a PostgreSQL of its own. */
async function startService(started: AsyncDisposableStack): Promise<EmbeddedService> {
  const dataDir = await mkdtemp(join(tmpdir(), "parking-killed-"));
  started.defer(() => rm(dataDir, { recursive: true }));
  const child = spawn(process.execPath, ["src/main.ts"], {
    cwd: projectFolder,
    env: { ...environment, PORT: "0", DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  const stop = () => {
    child.kill("SIGTERM");
    return exited;
  };
  started.defer(async () => void (await stop()));
  const log: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => log.push(line));
  let printed = "";
  child.stderr.on("data", (text) => {
    printed += String(text);
  });
  await until("an address", () => /http:\S+\n/.test(printed));
  const { origin } = new URL(/http:\S+/.exec(printed)?.[0] ?? "");
  const data = join(dataDir, "cluster/data");
  return {
    data,
    errors: () => log.filter((line) => line.includes('"error"')),
    isReady: async () => (await fetch(`${origin}/readyz`)).status === 200,
    async kill() {
      const pidFile = await readFile(join(data, "postmaster.pid"), "utf8");
      process.kill(Number.parseInt(pidFile, 10), "SIGKILL");
    },
    stop,
  };
}

it("a service whose embedded PostgreSQL is killed says so, and serves again", async () => {
  await using started = new AsyncDisposableStack();
  const { errors, isReady, kill, stop } = await startService(started);
  await until("a PostgreSQL", isReady);

  await kill();
  await until("the end of PostgreSQL", async () => !(await isReady()));
  await until("another PostgreSQL", isReady);

  expect(errors().join("\n")).toContain("the embedded PostgreSQL ended and is started again");
  expect(await stop()).toEqual([0, null]);
});

it("one whose PostgreSQL cannot be started says why, tries again, and serves once it can", async () => {
  await using started = new AsyncDisposableStack();
  const { data, errors, isReady, kill, stop } = await startService(started);
  await until("a PostgreSQL", isReady);

  await kill();
  await rename(data, `${data}.away`);
  const failures = () => errors().filter((line) => line.includes("cannot be started"));
  await until("two attempts", async () => !(await isReady()) && failures().length >= 2);
  expect(failures()[0]).toContain("ENOENT");
  await rename(`${data}.away`, data);
  await until("another PostgreSQL", isReady);
  expect(await stop()).toEqual([0, null]);
});
