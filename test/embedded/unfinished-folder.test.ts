import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { effort } from "../support/effort.ts";
import { newFolder, start } from "./clusters.ts";
import { accepts, superuser, until } from "./server.ts";
import { end, launchService } from "./service-process.ts";

/** What initdb has made by and by, the last just before it ends. */
const STAGES = [
  "cluster.new/data/base/1",
  "cluster.new/data",
  "cluster.new/password",
  "cluster.new/data/PG_VERSION",
  "cluster.new/data/global/pg_control",
  "cluster.new/data/base/4",
  "cluster.new/data/base/5",
].slice(0, effort(1, 7));

describe("a service that is killed in the middle of initdb", () => {
  it.each(STAGES)("at %s, does not hinder the next one", async (stage) => {
    const dataDir = await newFolder();
    const service = launchService(dataDir);
    await until(() => existsSync(join(dataDir, stage)));
    await end(service, "SIGKILL");
    expect(existsSync(join(dataDir, "cluster"))).toBe(false);

    expect(await accepts(superuser(await start(dataDir)))).toBe(true);
    expect(await readdir(dataDir)).not.toContain("cluster.new");
  });
});

describe("a new cluster is made", () => {
  it("in the place of an empty folder, beside files of others, after an initdb that had ended", async () => {
    const dataDir = await newFolder();
    await mkdir(join(dataDir, "cluster"), { recursive: true });
    await mkdir(join(dataDir, "lost+found"));
    await writeFile(join(dataDir, "letter.txt"), "Dear landlord");
    await mkdir(join(dataDir, "cluster.new/data"), { recursive: true });
    await writeFile(join(dataDir, "cluster.new/password"), "x");
    await writeFile(join(dataDir, "cluster.new/data/PG_VERSION"), "18");

    expect(await accepts(superuser(await start(dataDir)))).toBe(true);
    expect(await readdir(dataDir)).toEqual(expect.arrayContaining(["letter.txt", "lost+found"]));
  });
});
