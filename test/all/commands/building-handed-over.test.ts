import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { withClient } from "../../../src/database/client.ts";
import { createLogger } from "../../../src/log/logger.ts";
import { runMigrations } from "../../../src/migrations/run.ts";
import { projectFolder } from "../../../src/project-folder.ts";
import { type BuildingCluster, startCluster } from "./building-cluster.ts";

let cluster: BuildingCluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster?.stop());

const read = (path: string) => readFile(join(projectFolder, path), "utf8");

/** What docs/dba.md sends to psql to hand over what parking_owner owns. */
async function handingOver(): Promise<readonly string[]> {
  const page = await read("docs/dba.md");
  const [block = ""] =
    /psql -U cloudadmin -d parking -c "grant parking_owner[^`]*/.exec(page) ?? [];
  return [...block.matchAll(/-c "([^"]*)"/g)].map(([, sql = ""]) => sql);
}

it("a first building that docs/dba.md hands over is listed and migrated like any other", async () => {
  const url = (role: string, database: string) =>
    Object.assign(new URL(cluster.clusterUrl), { username: role, pathname: database }).href;
  const asAdministrator = (database: string, ...statements: readonly string[]) =>
    withClient(url("cloudadmin", database), async (client) => {
      for (const sql of statements) await client.query(sql);
    });
  await asAdministrator(
    "postgres",
    "create database parking template template0 encoding 'UTF8' locale_provider builtin builtin_locale 'C.UTF-8'",
  );
  const roles = await read("sql/roles.sql");
  const { password } = new URL(cluster.clusterUrl);
  await asAdministrator("parking", roles, `alter role parking_owner password '${password}'`);
  await runMigrations(url("parking_owner", "parking"), createLogger("silent"));
  await asAdministrator("parking", "set parking.building = 'main'", roles);

  const statements = await handingOver();
  expect(statements).toContain("drop role parking_owner");
  await asAdministrator("parking", ...statements);

  const listed = await cluster.run(["list"]).ended;
  expect(listed.stdout).toMatch(/^main +parking +0000\d\d /m);
  expect(await cluster.run(["migrate"]).ended).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 up to date"),
  });
});
