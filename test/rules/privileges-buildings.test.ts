import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { withClient } from "../../src/database/client.ts";
import type { EmbeddedPostgres } from "../../src/embedded/cluster.ts";
import { createDatabase } from "../../src/embedded/database.ts";
import { startThrowAwayPostgres } from "../../src/embedded/throw-away.ts";
import { createLogger } from "../../src/log/logger.ts";
import { checkDeployedDatabase } from "../../src/migrations/deployed-database.ts";
import { runMigrations } from "../../src/migrations/run.ts";
import { projectFolder } from "../../src/project-folder.ts";
import { requestJson } from "../support/person.ts";
import { startService } from "../support/service.ts";

/** Roles belong to a whole cluster, so these tests have one of their own. */
let postgres: EmbeddedPostgres;
beforeAll(async () => {
  postgres = await startThrowAwayPostgres();
  await createRole("cloudadmin", "createdb createrole");
  await asSuperuser("postgres", "grant connect on database postgres to cloudadmin");
});
afterAll(() => postgres.stop());

const asSuperuser = (database: string, sql: string) =>
  withClient(postgres.url("postgres", database), (client) => client.query(sql));

/** Creates a role that logs in as the cluster's URLs do. */
const createRole = (name: string, attributes = "") => {
  const { password } = new URL(postgres.url(name, "postgres"));
  return asSuperuser("postgres", `create role ${name} login ${attributes} password '${password}'`);
};

/** Runs sql/roles.sql as a role. */
const makeRoles = async (database: string, building: string, role = "postgres"): Promise<void> => {
  const sql = await readFile(join(projectFolder, "sql/roles.sql"), "utf8");
  await withClient(postgres.url(role, database), async (client) => {
    await client.query("select set_config('parking.building', $1, false)", [building]);
    await client.query(sql);
  });
};

/** The roles, their settings and their memberships, and who may do what on the databases. */
const rolesOf = async (): Promise<unknown> => {
  const { rows } = await asSuperuser(
    "postgres",
    `select (select jsonb_agg(to_jsonb(r) order by r.rolname) from pg_roles r) as roles,
            (select jsonb_agg(to_jsonb(m) order by m.oid) from pg_auth_members m) as members,
            (select jsonb_agg(array[d.datname, d.datacl::text] order by d.datname) from pg_database d) as databases`,
  );
  return rows;
};

describe("sql/roles.sql stops, and has made nothing, when", () => {
  afterEach(() => asSuperuser("postgres", "drop database refused"));

  it.each([
    ["the role cannot create roles", "", "nobody", /cannot create roles/],
    [
      "the role does not own the database",
      "createrole",
      "clerk",
      /"clerk" cannot grant on database "refused": run this file as its owner, "postgres"/,
    ],
  ])("%s", async (_when, attributes, role, message) => {
    await asSuperuser("postgres", "create database refused");
    await createRole(role, attributes);
    await expectRefusal(message, role);
  });

  const builtin = "locale_provider builtin builtin_locale";
  it.each([
    ["the encoding is not UTF8", "encoding 'LATIN1' locale 'C' locale_provider libc"],
    [
      "the locale is the operating system's",
      "encoding 'UTF8' locale 'C.UTF-8' locale_provider libc",
    ],
    ["the locale knows only ASCII", `encoding 'UTF8' ${builtin} 'C'`],
  ])("%s", async (_when, options) => {
    await asSuperuser("postgres", `create database refused template template0 ${options}`);
    await expectRefusal(/^database "refused" has another encoding or locale/);
  });

  it("the database belongs to the API role", async () => {
    await asSuperuser("postgres", "create role parking_api login");
    await asSuperuser("postgres", "create database refused owner parking_api");
    await expectRefusal(/^database "refused" belongs to "parking_api"/);
  });

  it.each(["Elm", "elm street", "1st", "x".repeat(52)])("the name is %j", async (name) => {
    await asSuperuser("postgres", "create database refused");
    await expectRefusal(/^parking.building is/, "postgres", name);
  });

  const expectRefusal = async (
    message: RegExp,
    role = "postgres",
    building = "",
  ): Promise<void> => {
    const before = await rolesOf();
    await expect(makeRoles("refused", building, role)).rejects.toThrow(message);
    expect(await rolesOf()).toEqual(before);
  };
});

describe("two buildings with login roles of their own", () => {
  const buildings = ["elm_street", "oak_street"];
  beforeAll(async () => {
    for (const building of buildings) {
      await createDatabase(postgres, building, building);
      await runMigrations(postgres.url(`${building}_owner`, building), createLogger("silent"));
    }
  });

  it("do not let a login of one connect to the other, nor the groups anywhere", async () => {
    const { rows } = await asSuperuser(
      "postgres",
      `select r.rolname as role, d.datname as database
         from pg_roles r, pg_database d
        where r.rolname ~ '_(owner|api|reporter)$'
          and r.rolcanlogin
          and d.datname ~ 'street'
          and has_database_privilege(r.oid, d.oid, 'connect')
        order by 1`,
    );
    const own = buildings.flatMap((database) =>
      ["api", "owner", "reporter"].map((role) => ({ role: `${database}_${role}`, database })),
    );
    expect(rows).toEqual(own);
    const other = withClient(postgres.url("elm_street_api", "oak_street"), async () => {});
    await expect(other).rejects.toMatchObject({ code: "42501" });
  });

  it("serve", async () => {
    const service = await startService(postgres.url("elm_street_api", "elm_street"));
    const sub = "0190a1b2-0000-7000-8000-000000000001";
    const token = await service.issuer.token({ sub, email: "a@b.example", email_verified: true });
    const body = { apartment_number: "1A" };
    const { status } = await requestJson(service.origin, "POST", "/api/profile", { token, body });
    await service.close();
    expect(status).toBe(201);
  });

  it("give the logins what the groups have, and their own time limits", async () => {
    const settings = await withClient(
      postgres.url("elm_street_reporter", "elm_street"),
      async (client) => {
        const { rows } = await client.query(
          `select current_setting('transaction_timeout') as timeout,
                  current_setting('default_transaction_read_only') as read_only,
                  (select count(*)::integer from claims) as claims`,
        );
        return rows[0];
      },
    );
    expect(settings).toEqual({ timeout: "5min", read_only: "on", claims: 0 });
  });

  it("are not changed by another run", async () => {
    const before = await rolesOf();
    await makeRoles("elm_street", "elm_street");
    expect(await rolesOf()).toEqual(before);
  });

  it("are not joined by one without a name", async () => {
    await asSuperuser("postgres", "create database birch_street");
    await expect(makeRoles("birch_street", "")).rejects.toThrow(/set parking.building to the name/);
  });

  it("can be added by a role that is no superuser, which is warned of what remains open", async () => {
    await withClient(postgres.url("cloudadmin", "postgres"), (client) =>
      client.query("create database ash_street"),
    );
    // The groups were made by another role; their administrator may hand them on.
    await asSuperuser(
      "postgres",
      "grant parking_api, parking_reporter, parking_analyst to cloudadmin with admin option, inherit false, set false",
    );
    const warnings: string[] = [];
    await withClient(postgres.url("cloudadmin", "ash_street"), async (client) => {
      client.on("notice", ({ severity, message }) => {
        if (severity === "WARNING") warnings.push(message ?? "");
      });
      await client.query("set parking.building = 'ash_street'");
      await client.query(await readFile(join(projectFolder, "sql/roles.sql"), "utf8"));
    });
    expect(warnings).toEqual([
      'large objects and advisory locks stay open to "ash_street_api": only a superuser can close them',
      // No building has been made of that database.
      '"ash_street_api" and "ash_street_reporter" can also connect to other databases: revoke connect on database birch_street from public',
    ]);
  });
});

describe("a building that had the logins parking_*, once there is a second", () => {
  it("keeps the second out until it has logins of its own", async () => {
    await using own = await startOwn();
    await createDatabase(own.postgres, "parking");
    await runMigrations(own.postgres.url("parking_owner", "parking"), createLogger("silent"));
    await expect(createDatabase(own.postgres, "elm_street", "elm_street")).rejects.toThrow(
      /^database "parking" is of a building without login roles of its own/,
    );

    await createDatabase(own.postgres, "parking", "main");
    await withClient(own.postgres.url("postgres", "parking"), (client) =>
      client.query(`
        reassign owned by parking_owner to main_owner;
        alter default privileges for role main_owner revoke execute on functions from public;
        drop owned by parking_owner;
        drop role parking_owner`),
    );
    // What the first building is now differs in nothing from one that had a name from the start.
    await checkDeployedDatabase(own.postgres.url("main_owner", "parking"));
    await createDatabase(own.postgres, "elm_street", "elm_street");

    const old = withClient(own.postgres.url("parking_api", "parking"), async () => {});
    await expect(old).rejects.toMatchObject({ code: "28000" });
    const service = await startService(own.postgres.url("main_api", "parking"));
    await service.close();
  });

  const startOwn = async () => {
    const started = await startThrowAwayPostgres();
    return { postgres: started, [Symbol.asyncDispose]: () => started.stop() };
  };
});
