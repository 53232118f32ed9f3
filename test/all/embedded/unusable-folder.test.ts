import { execFile, execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import {
  appendFile,
  chmod,
  chown,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { findRunningPostgres } from "../../../src/embedded/cluster.ts";
import { createDatabase } from "../../../src/embedded/database.ts";
import { projectFolder } from "../../../src/project-folder.ts";
import { environment } from "../../support/environment.ts";
import { until } from "../../support/waiting.ts";
import { defer, newFolder, privateFolder, start } from "./clusters.ts";
import { query, superuser } from "./server.ts";
import { isRoot, itAsNobody, itAsRoot, launchService, nobody, urlOf } from "./service-process.ts";
import { answerIn, usedFolder, useUsedFolder } from "./used-folder.ts";

useUsedFolder();

/** A copy of a folder with a cluster, with the accounts that own its files. */
async function copiedFolder(): Promise<string> {
  const copy = await newFolder();
  execFileSync("cp", ["-a", usedFolder(), copy]);
  return copy;
}

/** Every file, but for those that each attempt writes. */
const filesOf = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true }))
    .filter((name) => !/^(instance\.|postgres\.log)/.test(name))
    .toSorted();

/** The processes that work in a folder; only Linux shows them. */
const processesIn = (folder: string): readonly string[] =>
  process.platform !== "linux"
    ? []
    : readdirSync("/proc").filter(
        (pid) => /^\d+$/.test(pid) && workingFolder(pid).startsWith(folder),
      );

function workingFolder(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return ""; // it has ended
  }
}

/** A start fails, and leaves no process, no lock and every file. */
async function expectRefusal(dataDir: string, message: RegExp): Promise<void> {
  const files = await filesOf(dataDir);
  await expect(start(dataDir)).rejects.toThrow(message);
  expect(await filesOf(dataDir)).toEqual(files);
  // The shell that watches us sees the end of its program a moment later.
  await until("no process", () => processesIn(dataDir).length === 0);
  expect(await findRunningPostgres(dataDir)).toBeUndefined();
}

const incomplete = (file: string) =>
  new RegExp(
    `^DATA_DIR: /.*/cluster is not complete, ${file} is missing: restore it from a backup, or move it away to start with an empty one$`,
  );

it("a lock that cannot be opened is refused in one line", async () => {
  const dataDir = await newFolder();
  await mkdir(join(dataDir, "instance.lock"), { recursive: true });
  await expect(start(dataDir)).rejects.toThrow(
    /^DATA_DIR: .*instance\.lock cannot be used: unable to open database file/,
  );
});

describe("a folder that cannot be used is refused in one line, and left as it is:", () => {
  it.each<[string, (dataDir: string) => Promise<unknown>, RegExp]>([
    [
      "data whose version cannot be read",
      async (dataDir) => {
        await rm(join(dataDir, "cluster/data/PG_VERSION"));
        await mkdir(join(dataDir, "cluster/data/PG_VERSION"));
      },
      /^DATA_DIR: EISDIR: .*$/,
    ],
    [
      "data of an older PostgreSQL",
      (dataDir) => writeFile(join(dataDir, "cluster/data/PG_VERSION"), "17\n"),
      /^DATA_DIR: .* is of PostgreSQL 17, and this is PostgreSQL 18: docs\/upgrades\.md says how to upgrade it$/,
    ],
    [
      "a copy without data/global/pg_control",
      (dataDir) => rm(join(dataDir, "cluster/data/global/pg_control")),
      incomplete("data/global/pg_control"),
    ],
    [
      "a copy without data/PG_VERSION",
      (dataDir) => rm(join(dataDir, "cluster/data/PG_VERSION")),
      incomplete("data/PG_VERSION"),
    ],
    [
      "a copy without its data",
      (dataDir) => rm(join(dataDir, "cluster/data"), { recursive: true }),
      incomplete("data/PG_VERSION"),
    ],
    [
      "a copy without the password",
      (dataDir) => rm(join(dataDir, "cluster/password")),
      incomplete("password"),
    ],
    [
      "a copy without its empty folders",
      (dataDir) => rm(join(dataDir, "cluster/data/pg_notify"), { recursive: true }),
      /^PostgreSQL did not start: could not open directory "pg_notify": No such file or directory\. More is in .*\/postgres\.log$/,
    ],
    [
      "a file where the cluster should be",
      async (dataDir) => {
        await rm(join(dataDir, "cluster"), { recursive: true });
        await writeFile(join(dataDir, "cluster"), "a letter");
      },
      /^DATA_DIR: ENOTDIR: not a directory, scandir '.*\/cluster'$/,
    ],
    [
      "files of others where initdb would work",
      async (dataDir) => {
        await rm(join(dataDir, "cluster"), { recursive: true });
        await mkdir(join(dataDir, "cluster.new/data"), { recursive: true });
        await writeFile(join(dataDir, "cluster.new/data/letter.txt"), "a letter");
      },
      /^DATA_DIR: .*\/cluster\.new holds files of others; move it away$/,
    ],
  ])("%s", async (_what, spoil, message) => {
    const dataDir = await copiedFolder();
    await spoil(dataDir);
    await expectRefusal(dataDir, message);
  });

  it("a file of others where the lock should be", async () => {
    const dataDir = await copiedFolder();
    await writeFile(join(dataDir, "instance.lock"), "a letter to my landlord");
    const message = `DATA_DIR: ${dataDir}/instance.lock cannot be used: file is not a database`;
    await expect(start(dataDir)).rejects.toThrow(message);
    await expect(findRunningPostgres(dataDir)).rejects.toThrow(message);
    expect(await readFile(join(dataDir, "instance.lock"), "utf8")).toBe("a letter to my landlord");
  });

  it("the data folder of another PostgreSQL", async () => {
    const dataDir = await copiedFolder();
    await rename(join(dataDir, "cluster/data"), `${dataDir}-other`);
    await expect(start(`${dataDir}-other`)).rejects.toThrow(
      `DATA_DIR: ${dataDir}-other is a data folder of another PostgreSQL; name another folder`,
    );
    expect(await readdir(`${dataDir}-other`)).not.toContain("instance.lock");
  });

  it("a copy without the files of a database", async () => {
    const dataDir = await copiedFolder();
    const whole = await start(dataDir);
    await createDatabase(whole, "parking");
    const [[oid]] = (await query(
      superuser(whole),
      "select oid from pg_database where datname = 'parking'",
    )) as [[string]];
    await whole.stop();
    await rm(join(dataDir, "cluster/data/base", String(oid)), { recursive: true });

    await expect(createDatabase(await start(dataDir), "parking")).rejects.toThrow(
      'DATA_DIR: the database is damaged or not complete, database "parking" does not exist: restore it from a backup',
    );
  });

  it("a file, by the program, which ends with 1", async () => {
    const dataDir = await newFolder();
    await appendFile(dataDir, "a letter");
    const env = { ...environment, DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "silent" };
    const program = promisify(execFile)(process.execPath, ["src/main.ts"], {
      cwd: projectFolder,
      env,
    });
    await expect(program).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: `DATA_DIR: ${dataDir} is a file; name a folder\n`,
    });
  });
});

describe("a folder that cannot be written", () => {
  itAsRoot("by the account that PostgreSQL runs as is named in one line", async () => {
    const dataDir = await copiedFolder();
    await chmod(join(dataDir, "cluster/data"), 0o500);
    await expectRefusal(
      dataDir,
      /^PostgreSQL did not start: could not create lock file "postmaster\.pid": Permission denied\. More is in /,
    );
  });

  itAsNobody("by the account of the service is named in one line", async () => {
    const folder = await privateFolder();
    await chown(folder, nobody.uid, nobody.gid);
    await chmod(folder, 0o500);
    const service = launchService(folder, { account: nobody });
    await expect(urlOf(service)).rejects.toThrow(
      `DATA_DIR: EACCES: permission denied, access '${folder}'`,
    );
  });
});

/** Mounts a file system in memory on a new folder, until the end of the test. */
async function mounted(megabytes: number): Promise<string> {
  const folder = await newFolder();
  await mkdir(folder);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder]);
  defer(() => void execFileSync("umount", ["-l", folder]));
  return folder;
}

/** Containers often forbid it. */
const canMount =
  isRoot &&
  spawnSync("sh", ["-c", "mount -t tmpfs tmpfs /mnt && umount /mnt"], { stdio: "ignore" })
    .status === 0;
const itWhereMounting = canMount ? it : it.skip;

describe("a disk (skipped where this machine lets nobody mount one)", () => {
  itWhereMounting(
    "that is too small for a new cluster is named, and serves once it is not",
    async () => {
      const dataDir = await mounted(20);
      await expect(start(dataDir)).rejects.toThrow(
        /^initdb failed: .*No space left on device\. More is in /,
      );
      execFileSync("mount", ["-o", "remount,size=200m", dataDir]);
      const cluster = await start(dataDir);
      expect(await query(superuser(cluster), "select 1")).toEqual([[1]]);
    },
  );

  itWhereMounting("that is full is named, and serves the data once it is not", async () => {
    const dataDir = await mounted(200);
    execFileSync("cp", ["-a", `${usedFolder()}/.`, dataDir]);
    spawnSync("dd", ["if=/dev/zero", `of=${join(dataDir, "filling")}`, "bs=64k"]);
    await expectRefusal(dataDir, /^DATA_DIR: .* cannot be used: database or disk is full$/);
    await rm(join(dataDir, "filling"));
    expect(await answerIn(superuser(await start(dataDir)))).toEqual([[42]]);
  });

  itWhereMounting("that is read-only is named", async () => {
    const dataDir = await mounted(200);
    execFileSync("cp", ["-a", `${usedFolder()}/.`, dataDir]);
    execFileSync("mount", ["-o", "remount,ro", dataDir]);
    await expect(start(dataDir)).rejects.toThrow(
      `DATA_DIR: EROFS: read-only file system, access '${dataDir}'`,
    );
  });
});
