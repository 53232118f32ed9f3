import { copyFile, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { migrate } from "graphile-migrate";
import { pino } from "pino";
import { withClient } from "../../../src/database/client.ts";
import { applyCurrent } from "../../../src/migrations/current.ts";
import { runMigrations, withMigrate } from "../../../src/migrations/run.ts";
import { projectFolder } from "../../../src/project-folder.ts";
import { cloneDatabase, type TestDatabase } from "../../support/database.ts";

const silent = pino({ level: "silent" });
const migrations = join(projectFolder, "migrations/committed");

let database: TestDatabase;
let owner: string;
beforeEach(async () => {
  database = await cloneDatabase("template1");
  owner = database.url("parking_owner");
});
afterEach(() => database.drop());

const query = (sql: string) => withClient(owner, async (client) => (await client.query(sql)).rows);

/** A database as it was after so many migrations. */
async function databaseAfter(number: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "migrations-"));
  await mkdir(join(folder, "committed"));
  for (const file of (await readdir(migrations)).toSorted().slice(0, number))
    await copyFile(join(migrations, file), join(folder, "committed", file));
  await withMigrate(owner, silent, (settings) =>
    migrate({ ...settings, migrationsFolder: folder }),
  );
  await rm(folder, { recursive: true });
}

/** To what is here now, committed or not. */
async function upgrade(): Promise<void> {
  await runMigrations(owner, silent);
  await applyCurrent(owner, silent);
}

const limits = () =>
  query(
    `select building_section, horizon_days, longest_claim_minutes, most_active_claims
       from parking.limits order by building_section`,
  );
const ofBuilding = {
  building_section: null,
  horizon_days: 90,
  longest_claim_minutes: 600,
  most_active_claims: null,
};
const limit = "update parking.building set horizon_days = 90, longest_claim_minutes = 600";

describe("the limits of a building", () => {
  it("of 1.0.0 stay", async () => {
    await databaseAfter(1);
    await query(limit);
    await upgrade();
    expect(await limits()).toEqual([ofBuilding]);
  });

  it("with limits of sections stay", async () => {
    await databaseAfter(9);
    await query(limit);
    await query(
      `insert into parking.section_limits (building_section, most_active_claims) values ('A', 2)`,
    );
    await upgrade();
    expect(await limits()).toEqual([
      {
        ...ofBuilding,
        building_section: "A",
        horizon_days: null,
        longest_claim_minutes: null,
        most_active_claims: 2,
      },
      ofBuilding,
    ]);
  });
});
