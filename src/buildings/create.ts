import { randomBytes } from "node:crypto";
import { type Client, DatabaseError } from "pg";
import { withClient } from "../database/client.ts";
import { loginRolesOf, makeRoles } from "../database/roles.ts";
import { forLibpq } from "../database/tls.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { createLogger } from "../log/logger.ts";
import { runMigrations } from "../migrations/run.ts";
import { databaseUrl, findBuildings, ownerUrl, UNFINISHED } from "./building.ts";

export interface NewBuilding {
  readonly name: string;
  /** Without tables, so that a dump can be restored into it. */
  readonly isEmpty?: boolean;
  /** Receives the warnings of sql/roles.sql. */
  warn(message: string): void;
}

/** The URLs with which the programs of a new building log in. */
export interface BuildingUrls {
  readonly api: string;
  readonly owner: string;
}

/**
 * Creates a building: its database, its roles and everything that the migrations create. The
 * database has another name until it is complete, so no half-made building exists. After a failure
 * this function removes what it created. After a killed process the next attempt removes it.
 */
export async function createBuilding(
  clusterUrl: string,
  building: NewBuilding,
): Promise<BuildingUrls> {
  const { name } = building;
  checkName(name);
  return withClient(clusterUrl, async (server) => {
    // Two runs at once would change the same roles. The lock ends with the connection.
    await server.query("select pg_advisory_lock(hashtext('create building'))");
    await refuseTaken(server, name);
    const database = `${name}${UNFINISHED}`;
    const quoted = server.escapeIdentifier(database);
    const dropDatabase = () => server.query(`drop database if exists ${quoted} with (force)`);
    await dropDatabase();
    await server
      .query(
        `create database ${quoted} template template0
           encoding 'UTF8' locale_provider builtin builtin_locale 'C.UTF-8'`,
      )
      .catch(refuseWithoutRight);
    try {
      const passwords = await fill(clusterUrl, database, building);
      await server.query(`alter database ${quoted} rename to ${server.escapeIdentifier(name)}`);
      const urlOf = (role: string) => {
        const url = new URL(databaseUrl(clusterUrl, name));
        url.username = role;
        url.password = passwords.get(role) ?? "";
        return forLibpq(url).href;
      };
      return { api: urlOf(`${name}_api`), owner: urlOf(`${name}_owner`) };
    } catch (error) {
      await dropDatabase();
      for (const role of loginRolesOf(name)) {
        await server.query(`drop role if exists ${server.escapeIdentifier(role)}`);
      }
      throw explained(error);
    }
  });
}

/** The form that sql/roles.sql requires. PostgreSQL reserves pg_ for its own roles. */
function checkName(name: string): void {
  if (!/^(?!pg_)[a-z][a-z0-9_]{0,50}$/.test(name)) {
    throw new OperatorError(
      `${name} is no name for a building: use lower-case letters, digits and _, 51 at most, the first a letter, and not pg_ at the start`,
    );
  }
  if (name === "parking") {
    throw new OperatorError(
      "parking is the name of a building that is alone in its cluster: choose another",
    );
  }
}

/** A database or roles with this name may belong to another program, so they are left alone. */
async function refuseTaken(server: Client, name: string): Promise<void> {
  if ((await findBuildings(server)).some((building) => building.name === name)) {
    throw new OperatorError(`The building ${name} exists already; nothing was changed`);
  }
  const databases = await namesIn(server, "select datname as name from pg_database");
  if (databases.includes(name)) {
    throw new OperatorError(
      `There is a database ${name}, which is no building: choose another name`,
    );
  }
  if (databases.includes(`${name}${UNFINISHED}`)) return; // the roles belong to that attempt
  const roles = await namesIn(server, "select rolname as name from pg_roles");
  const taken = loginRolesOf(name).filter((role) => roles.includes(role));
  if (taken.length > 0) {
    throw new OperatorError(
      `There are roles of that name: ${taken.join(", ")}. Drop them if they are of a building that is gone, or choose another name`,
    );
  }
}

async function namesIn(server: Client, sql: string): Promise<readonly string[]> {
  return (await server.query<{ name: string }>(sql)).rows.map(({ name }) => name);
}

/** Creates the roles and runs the migrations. Returns the passwords of the roles that log in. */
async function fill(
  clusterUrl: string,
  database: string,
  { name, isEmpty, warn }: NewBuilding,
): Promise<ReadonlyMap<string, string>> {
  const roles = loginRolesOf(name);
  const passwords = new Map(roles.map((role) => [role, randomBytes(24).toString("base64url")]));
  const owner = `${name}_owner`;
  await withClient(databaseUrl(clusterUrl, database), async (client) => {
    client.on("notice", ({ severity, message }) => {
      if (severity === "WARNING" && message) warn(message);
    });
    await makeRoles(client, name, (role) => passwords.get(role) ?? "");
    // A role that creates another may grant it, but may act as it only after a grant.
    await client.query(
      `grant ${client.escapeIdentifier(owner)} to current_user with inherit false, set true`,
    );
  });
  if (!isEmpty) {
    await runMigrations(ownerUrl(clusterUrl, database, owner), createLogger("silent"));
  }
  return passwords;
}

/** sql/roles.sql says what the operator can do (P0001), PostgreSQL what is not allowed (42501). */
const explained = (error: unknown): unknown =>
  error instanceof DatabaseError && /^(P0001|42501)$/.test(error.code ?? "")
    ? new OperatorError(error.message, { cause: error })
    : error;

function refuseWithoutRight(cause: unknown): never {
  if (!(cause instanceof DatabaseError && cause.code === "42501")) throw cause;
  throw new OperatorError(
    `CLUSTER_DATABASE_URL: ${cause.message}: log in as a role that may create databases and roles`,
    { cause },
  );
}
