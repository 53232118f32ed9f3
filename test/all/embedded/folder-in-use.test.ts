import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { findRunningPostgres } from "../../../src/embedded/cluster.ts";
import { newFolder, privateFolder, start } from "./clusters.ts";
import { accepts, superuser } from "./server.ts";
import { launchService, urlOf } from "./service-process.ts";
import { usedFolder, useUsedFolder } from "./used-folder.ts";

useUsedFolder();

describe("a folder in use", () => {
  it("is refused to others with the number of the process, which goes on", async () => {
    const dataDir = usedFolder();
    const service = launchService(dataDir);
    const url = await urlOf(service);
    const refusal = `Another instance (process ${service.pid}) is using ${dataDir}`;
    await expect(start(dataDir)).rejects.toThrow(refusal);
    expect(await accepts(url)).toBe(true);
  });

  it("goes to one of two services that start at once", async () => {
    const dataDir = await newFolder();
    const services = [launchService(dataDir), launchService(dataDir)];
    const outcomes = await Promise.allSettled(services.map(urlOf));
    const winner = services[outcomes.findIndex(({ status }) => status === "fulfilled")];
    const losers = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(losers).toHaveLength(1);
    expect(String(losers[0]?.reason)).toContain(`Another instance (process ${winner?.pid})`);
  });

  it("is refused to the same process too", async () => {
    const dataDir = usedFolder();
    await start(dataDir);
    const refusal = `Another instance (process ${process.pid}) is using ${dataDir}`;
    await expect(start(dataDir)).rejects.toThrow(refusal);
  });
});

describe("findRunningPostgres", () => {
  it("finds what a service has started, and leaves it running and claimed", async () => {
    const dataDir = usedFolder();
    const service = launchService(dataDir);
    const url = await urlOf(service);
    const found = await findRunningPostgres(dataDir);
    expect(found && superuser(found)).toBe(url);
    await found?.stop();
    expect(await accepts(url)).toBe(true);
    await expect(start(dataDir)).rejects.toThrow("Another instance");
  });

  it("does not give up the claim of the service that calls it", async () => {
    const dataDir = usedFolder();
    const cluster = await start(dataDir);
    expect((await findRunningPostgres(dataDir))?.port).toBe(cluster.port);
    await expect(urlOf(launchService(dataDir))).rejects.toThrow("Another instance");
  });

  it("finds nothing where no service runs", async () => {
    const nowhere = await newFolder();
    expect(await findRunningPostgres(nowhere)).toBeUndefined();
    expect(existsSync(nowhere)).toBe(false);
    const dataDir = usedFolder();
    await (await start(dataDir)).stop();
    expect(await findRunningPostgres(dataDir)).toBeUndefined();
  });

  it("does not take a copy of a folder in use for the folder", async () => {
    const dataDir = usedFolder();
    await start(dataDir);
    const copy = await privateFolder();
    for (const file of ["instance.json", "instance.lock"]) {
      await cp(join(dataDir, file), join(copy, file));
    }
    expect(await findRunningPostgres(copy)).toBeUndefined();
  });
});
