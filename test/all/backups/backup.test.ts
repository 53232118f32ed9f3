import { execFile } from "node:child_process";
import { mkdir, mkdtemp, open, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { backUp } from "../../../src/backups/back-up.ts";
import { withClient } from "../../../src/database/client.ts";
import { fillDemoBuilding } from "../../../src/development/demo-building.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../src/embedded/cluster.ts";
import { createDatabase, EMBEDDED_DATABASE } from "../../../src/embedded/database.ts";
import { createLogger } from "../../../src/log/logger.ts";
import { checkDeployedDatabase } from "../../../src/migrations/deployed-database.ts";
import { runMigrations } from "../../../src/migrations/run.ts";
import { projectFolder } from "../../../src/project-folder.ts";
import { environment } from "../../support/environment.ts";
import { startService } from "../../support/service.ts";
import { whileWriting } from "./running.ts";

let folder: string;
let dataDir: string;
let postgres: EmbeddedPostgres;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "backup-test-"));
  dataDir = join(folder, "data");
  postgres = await startEmbeddedPostgres({ dataDir });
  await createDatabase(postgres, EMBEDDED_DATABASE);
  await runMigrations(url("parking_owner"), createLogger("silent"));
  await fillDemoBuilding(url("postgres"));
});
afterAll(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true });
});

const url = (role: string, of = postgres): string => of.url(role, EMBEDDED_DATABASE);
const rowsIn = (of: EmbeddedPostgres, sql: string): Promise<unknown[]> =>
  withClient(url("postgres", of), async (client) => (await client.query(sql)).rows);

/** Every row of the building. */
const everything = (of: EmbeddedPostgres): Promise<unknown[]> =>
  rowsIn(
    of,
    `select query_to_xml('table ' || c.oid::regclass || ' order by 1', true, false, '')::text
       from pg_class c
      where c.relkind = 'r' and c.relnamespace::regnamespace::text in ('parking', 'private', 'identity')
      order by c.relname`,
  );

const run = (settings: Readonly<Record<string, string>>, to = join(folder, "never")) =>
  promisify(execFile)(process.execPath, ["src/commands/backup.ts", to], {
    cwd: projectFolder,
    env: { ...environment, ...settings },
  });

describe("npm run backup", () => {
  let before: unknown[];
  let copied: string;
  beforeAll(async () => {
    before = await everything(postgres);
    const [counts] = await rowsIn(
      postgres,
      `select (select count(*)::integer from parking.profiles) as people,
              (select count(*)::integer from parking.spots) as spots,
              (select count(*)::integer from parking.claims) as claims`,
    );
    expect(counts).toMatchObject({ people: 14, spots: 30 });
    copied = join(folder, "copied");
    await whileWriting(url("postgres"), async () => {
      expect(await backUp(postgres, dataDir, copied)).toEqual(counts);
    });
  });

  it("copies a database in use as it was at one moment", async () => {
    const copy = await startEmbeddedPostgres({ dataDir: copied });
    try {
      expect(await everything(copy)).toEqual(before);
      const [both] = await rowsIn(
        copy,
        `select (select count(*)::integer from here) as here,
                (select count(*)::integer from there) as there`,
      );
      const { here, there } = both as { here: number; there: number };
      expect(here).toBeGreaterThan(0);
      expect(here).toBe(there);
      await rowsIn(copy, "drop table here, there");
      await checkDeployedDatabase(url("parking_owner", copy));
      // The passwords are those of the database that was copied.
      await (await startService(url("parking_api", copy))).close();
    } finally {
      await copy.stop();
    }
  });

  it("leaves no sign of itself in the database that it copies", async () => {
    expect(await rowsIn(postgres, "table pg_replication_slots")).toEqual([]);
    expect(await readdir(folder)).toEqual(["copied", "data"]);
  });

  it("overwrites nothing", async () => {
    await expect(backUp(postgres, dataDir, copied)).rejects.toThrow(/copied is not empty/);
  });

  it("touches no unfinished backup: another may be at it", async () => {
    const left = join(folder, "left.unfinished");
    await mkdir(left);
    await writeFile(join(left, "kept"), "");
    await expect(backUp(postgres, dataDir, join(folder, "left"))).rejects.toThrow(
      /left\.unfinished is there, of a backup that runs or did not end/,
    );
    expect(await readdir(left)).toEqual(["kept"]);
    await rm(left, { recursive: true });
  });

  it("says how to try it without a second mail to everybody", async () => {
    const { stdout } = await run({ DATA_DIR: dataDir }, join(folder, "tried"));
    expect(stdout).toContain("To try it: PORT=3001 JOBS=off DATA_DIR=<a copy of ");
  });

  it("does not call a copy a backup that cannot be read", async () => {
    await rowsIn(postgres, "checkpoint"); // so that no later one mends the file
    const sql = "select pg_relation_filepath('parking.claims') as file";
    const [table] = await rowsIn(postgres, sql);
    const { file } = table as { file: string };
    const handle = await open(join(dataDir, "cluster/data", file), "r+");
    await handle.write(Buffer.alloc(100, 1), 0, 100, 8192 - 200);
    await handle.close();
    await expect(backUp(postgres, dataDir, join(folder, "damaged"))).rejects.toThrow(
      /invalid page/,
    );
    expect(await readdir(folder)).not.toContain("damaged");
  });
});

describe("npm run backup refuses", () => {
  it("a database of another server, and says where its way is described", async () => {
    await expect(run({ DATABASE_URL: "postgres://parking_api@localhost/p" })).rejects.toMatchObject(
      {
        code: 1,
        stderr: expect.stringMatching(/^DATABASE_URL is set: .* docs\/backups\.md/),
      },
    );
  });

  it("a folder without a database, and makes none", async () => {
    const none = join(folder, "none");
    await expect(run({ DATA_DIR: none })).rejects.toMatchObject({
      code: 1,
      stderr: `DATA_DIR: there is no embedded database in ${none}\n`,
    });
    expect(await readdir(folder)).not.toContain("none");
  });
});
