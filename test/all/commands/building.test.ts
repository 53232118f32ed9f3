import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createBuilding } from "../../../src/buildings/create.ts";
import { withClient } from "../../../src/database/client.ts";
import { checkDeployedDatabase } from "../../../src/migrations/deployed-database.ts";
import { startService } from "../../support/service.ts";
import { until } from "../../support/waiting.ts";
import { type BuildingCluster, startCluster } from "./building-cluster.ts";
import type { Outcome } from "./run.ts";

let cluster: BuildingCluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

const building = (...args: readonly string[]): Promise<Outcome> => cluster.run(args).ended;

/** The settings that `create` prints. */
const settingsIn = ({ stdout }: Outcome): ReadonlyMap<string, string> =>
  new Map(
    Array.from(stdout.matchAll(/^(\w+)=(.+)$/gm), ([, name = "", value = ""]) => [name, value]),
  );

/** What a create can leave behind: databases, and roles that are not PostgreSQL's own. */
const left = async () => ({
  databases: await cluster.asSuperuser(
    "postgres",
    "select datname as name from pg_database where not datistemplate order by 1",
  ),
  roles: await cluster.asSuperuser(
    "postgres",
    "select rolname as name from pg_roles where rolname !~ '^pg_' order by 1",
  ),
});

describe("npm run building -- create", () => {
  let elmStreet: Outcome;
  beforeAll(async () => {
    elmStreet = await building("create", "elm_street");
  });

  it("makes what is committed, with logins that work", async () => {
    expect(elmStreet).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^The building elm_street is ready\.$/m),
    });
    expect(elmStreet.stderr).toContain("Warning: large objects and advisory locks stay open");
    await checkDeployedDatabase(settingsIn(elmStreet).get("OWNER_DATABASE_URL") ?? "");
    const service = await startService(settingsIn(elmStreet).get("DATABASE_URL") ?? "");
    await service.close();
  });

  it("says that a building exists, and changes nothing", async () => {
    const before = await left();
    expect(await building("create", "elm_street")).toEqual({
      code: 1,
      stdout: "",
      stderr: "The building elm_street exists already; nothing was changed\n",
    });
    expect(await left()).toEqual(before);
    await withClient(settingsIn(elmStreet).get("DATABASE_URL") ?? "", async () => {});
  });

  it.each([
    ["Elm", /^Elm is no name for a building/],
    ["elm-street", /is no name for a building/],
    ["x".repeat(52), /is no name for a building/],
    ["pg_house", /is no name for a building/],
    ["parking", /^parking is the name of a building that is alone in its cluster/],
    ["postgres", /^There is a database postgres, which is no building/],
    ["shop", /^There are roles of that name: shop_api\./],
  ])("refuses the name %s and makes nothing", async (name, message) => {
    await cluster.asSuperuser(
      "postgres",
      "do $$ begin if not exists (select from pg_roles where rolname = 'shop_api') then create role shop_api; end if; end $$",
    );
    const before = await left();
    const refused = createBuilding(cluster.clusterUrl, { name, warn: () => {} });
    await expect(refused).rejects.toThrow(message);
    expect(await left()).toEqual(before);
  });

  it("leaves nothing where it fails", async () => {
    // A building without login roles of its own keeps others out of its cluster.
    await cluster.asSuperuser("postgres", "create database alone");
    await cluster.asSuperuser("postgres", "grant connect on database alone to parking_api");
    const before = await left();
    expect(await building("create", "ash_street")).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^database "alone" is of a building without login roles/),
    });
    expect(await left()).toEqual(before);
    await cluster.asSuperuser("postgres", "drop database alone");
  });

  it("says in one line that its role may not create databases", async () => {
    await cluster.asSuperuser("postgres", "alter role cloudadmin nocreatedb");
    expect(await building("create", "bay_street")).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "CLUSTER_DATABASE_URL: permission denied to create database: log in as a role that may create databases and roles\n",
    });
    await cluster.asSuperuser("postgres", "alter role cloudadmin createdb");
  });

  it("makes anew what a killed one left half, which is no building meanwhile", async () => {
    const { process, ended } = cluster.run(["create", "oak_street"]);
    await until("the roles of oak_street", async () =>
      (await left()).roles.some((role) => role.name === "oak_street_owner"),
    );
    process.kill("SIGKILL");
    await ended;
    await until("the end of its connections", async () => {
      const sql = "select from pg_stat_activity where usename = 'cloudadmin'";
      return (await cluster.asSuperuser("postgres", sql)).length === 0;
    });
    expect((await left()).databases).toContainEqual({ name: "oak_street.unfinished" });
    expect((await building("list")).stdout).not.toContain("oak_street");

    expect(await building("create", "oak_street")).toMatchObject({ code: 0 });
    expect((await left()).databases).not.toContainEqual({ name: "oak_street.unfinished" });
  });

  it("makes an empty one for the restore of a dump, which migrate can act as the owner of", async () => {
    expect(await building("create", "fig_street", "--empty")).toMatchObject({ code: 0 });
    expect((await building("list")).stdout).toMatch(/^fig_street +fig_street +none +0 /m);
    expect(await building("migrate", "fig_street")).toMatchObject({
      code: 0,
      stdout: "fig_street: migrated\n1 building: 1 migrated, 0 up to date, 0 failed\n",
    });
  });

  it("may be run by several people at once, and makes each building once", async () => {
    const names = ["ivy_street", "ivy_street", "fir_street"];
    const outcomes = await Promise.all(names.map((name) => building("create", name)));
    expect(outcomes.map(({ code }) => code).toSorted()).toEqual([0, 0, 1]);
    expect(outcomes.find(({ code }) => code === 1)?.stderr).toBe(
      "The building ivy_street exists already; nothing was changed\n",
    );
  });
});

describe("npm run building -- list", () => {
  it("shows each building with its version, people and size", async () => {
    const { code, stdout } = await building("list");
    expect(code).toBe(0);
    const [heading, ...lines] = stdout.trimEnd().split("\n");
    expect(heading).toMatch(/^building +database +version +people +size$/);
    expect(lines).toContainEqual(
      expect.stringMatching(/^elm_street +elm_street +0000\d\d +0 +\d+ [kM]B$/),
    );
  });

  it("shows no database of another program, whatever its roles are called, and migrates none", async () => {
    for (const sql of [
      "create role pool_owner login",
      "create role pool_api login",
      "create role pool_reporter login",
      "create database pool owner pool_owner",
      "revoke connect on database pool from public",
      "grant connect on database pool to pool_api, pool_reporter",
    ])
      await cluster.asSuperuser("postgres", sql);
    expect((await building("list")).stdout).not.toContain("pool");
    expect(await building("migrate", "pool")).toMatchObject({ code: 1 });
    const schemas = "select from pg_namespace where nspname = 'parking'";
    expect(await cluster.asSuperuser("pool", schemas)).toEqual([]);
  });

  it("shows why it cannot read one, and the others all the same", async () => {
    await cluster.asSuperuser("postgres", "alter database elm_street allow_connections false");
    const { code, stdout } = await building("list");
    await cluster.asSuperuser("postgres", "alter database elm_street allow_connections true");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^elm_street +elm_street +database "elm_street" is not currently/m);
    expect(stdout).toMatch(/^oak_street +oak_street +0000\d\d /m);
  });
});
