import { execFileSync, spawn } from "node:child_process";
import { chown, readFile, stat, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { findRunningPostgres } from "../../../src/embedded/cluster.ts";
import { defer, start } from "./clusters.ts";
import { accepts, postmasterFile, postmasterOf, query, refused, superuser } from "./server.ts";
import { end, isRoot, itOnLinux, launchService, urlOf } from "./service-process.ts";
import { answerIn, usedFolder, useUsedFolder } from "./used-folder.ts";

useUsedFolder();

describe("a service that is killed", () => {
  it("stops its server as well, and the next one finds the data", async () => {
    const dataDir = usedFolder();
    const service = launchService(dataDir);
    const url = await urlOf(service);
    await end(service, "SIGKILL");
    await refused(url);
    expect(await findRunningPostgres(dataDir)).toBeUndefined();

    expect(await answerIn(superuser(await start(dataDir)))).toEqual([[42]]);
  });

  it("does not hinder one that starts before the server has stopped", async () => {
    const dataDir = usedFolder();
    const service = launchService(dataDir);
    const url = await urlOf(service);
    const busy = query(url, "select pg_sleep(60)");
    await Promise.all([expect(busy).rejects.toThrow(), end(service, "SIGKILL"), sleep(50)]);
    expect(await accepts(superuser(await start(dataDir)))).toBe(true);
  });

  itOnLinux("may leave its server running, which the next one stops", async () => {
    const dataDir = usedFolder();
    const service = launchService(dataDir);
    const url = await urlOf(service);
    const postmaster = await postmasterOf(dataDir);
    defer(async () => void ((await accepts(url)) && process.kill(postmaster)));
    process.kill(watcherOf(postmaster), "SIGKILL");
    await end(service, "SIGKILL");
    await sleep(200);
    expect(await accepts(url)).toBe(true);

    const cluster = await start(dataDir);
    expect(await accepts(url)).toBe(false);
    expect(await answerIn(superuser(cluster))).toEqual([[42]]);
  });
});

/** The shell that stops a server when its service ends. */
function watcherOf(postmaster: number): number {
  const processes = execFileSync("ps", ["-A", "-o", "pid=,pgid=,args="], { encoding: "utf8" });
  const watcher = processes
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .find(([, group, program]) => group === String(postmaster) && program === "/bin/sh");
  return Number(watcher?.[0]);
}

describe("a stale postmaster.pid", () => {
  itOnLinux(
    "that names a process of another program is no obstacle, and that process goes on",
    async () => {
      const dataDir = usedFolder();
      const cluster = await start(dataDir);
      const stale = await readFile(postmasterFile(dataDir), "utf8");
      await cluster.stop();

      const { uid, gid } = await stat(postmasterFile(dataDir).replace("postmaster.pid", ""));
      const stranger = spawn("sleep", ["60"], isRoot ? { uid, gid } : {});
      defer(() => void stranger.kill());
      await writeFile(postmasterFile(dataDir), stale.replace(/^\d+/, String(stranger.pid)));
      if (isRoot) await chown(postmasterFile(dataDir), uid, gid);

      expect(await answerIn(superuser(await start(dataDir)))).toEqual([[42]]);
      expect(stranger.signalCode).toBeNull();
    },
  );
});
