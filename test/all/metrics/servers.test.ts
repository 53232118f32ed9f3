import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "@jest/globals";
import { withClient } from "../../../src/database/client.ts";
import { type Building, openBuilding } from "../../support/building.ts";
import { databaseOn } from "../../support/database.ts";
import { freePort } from "../../support/free-port.ts";
import { scrape } from "../../support/metrics.ts";
import { noRateLimits, type Program, startProgram } from "../../support/program.ts";
import { type Server, startPrimary } from "../../support/standby.ts";
import { until } from "../../support/waiting.ts";

let folder: string;
let primary: Server;
let building: Building;
let program: Program;
let port: number;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parking-archive-"));
  await chmod(folder, 0o755); // PostgreSQL runs as another account
  const archive_command = `test ! -e ${join(folder, "is-full")}`;
  primary = await startPrimary({ archive_mode: "on", archive_command });
  building = await openBuilding({}, await databaseOn(primary.postgres));
  port = await freePort();
  program = await startProgram(building, { ...noRateLimits, ADMIN_PORT: String(port) });
});
afterAll(async () => {
  await program.stop();
  await building.close();
  await primary.stop();
  await rm(folder, { recursive: true });
});

const onPrimary = (sql: string) =>
  withClient(primary.postgres.url("postgres", "parking"), (client) => client.query(sql));

/** A file of WAL is archived when it is full, or when somebody asks. */
const switchWal = async () => {
  await onPrimary("select pg_logical_emit_message(true, 'test', ''), pg_switch_wal()");
};
const untilValue = (name: string, isAsExpected: (value: number | undefined) => boolean) =>
  until(name, async () => isAsExpected((await scrape(port)).value(name)));

describe("a scrape says", () => {
  it("how long ago WAL was archived, and whether that fails", async () => {
    await switchWal();
    await untilValue("parking_database_archive_age_seconds", (age = -1) => age >= 0);
    await untilValue("parking_database_archive_fails", (fails) => fails === 0);

    await writeFile(join(folder, "is-full"), "");
    await switchWal();
    await untilValue("parking_database_archive_fails", (fails) => fails === 1);
  });

  it("how many tables are locked by other roles", () =>
    withClient(primary.postgres.url("postgres", "parking"), async (client) => {
      const name = "parking_database_tables_locked_by_others";
      await untilValue(name, (tables) => tables === 0);
      await client.query("begin; lock table parking.spots, parking.claims in share mode");
      await untilValue(name, (tables) => tables === 2);
      await client.query("rollback; begin; select from parking.spots");
      await untilValue(name, (tables) => tables === 0);
    }));
});
