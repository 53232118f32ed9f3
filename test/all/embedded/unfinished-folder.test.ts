import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { effort } from "../../support/effort.ts";
import { until } from "../../support/waiting.ts";
import { newFolder, start, useClusters } from "./clusters.ts";
import { accepts, superuser } from "./server.ts";
import { end, launchService } from "./service-process.ts";

useClusters();

/** What initdb makes one after the other, the last just before it ends. */
const STAGES = [
  "cluster.new/data/base/1",
  "cluster.new/data",
  "cluster.new/password",
  "cluster.new/data/PG_VERSION",
  "cluster.new/data/global/pg_control",
  "cluster.new/data/base/4",
  "cluster.new/data/base/5",
].slice(0, effort(1, 7));

/** A folder that a service leaves behind. On a busy machine a stage may go by unseen: then it starts anew. */
async function killedAt(stage: string): Promise<string> {
  const dataDir = await newFolder();
  const made = join(dataDir, "cluster");
  const service = launchService(dataDir);
  await until(stage, () => existsSync(join(dataDir, stage)) || existsSync(made));
  await end(service, "SIGKILL");
  if (!existsSync(made)) return dataDir;
  await (await start(dataDir)).stop(); // what the killed service has left running ends with this
  return killedAt(stage);
}

describe("a service that is killed in the middle of initdb", () => {
  it.each(STAGES)("at %s, does not hinder the next one", async (stage) => {
    const dataDir = await killedAt(stage);
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
