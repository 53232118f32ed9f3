import { DatabaseError } from "pg";
import type { Config } from "../config/config.ts";
import { withClient } from "../database/client.ts";
import { makeRoles } from "../database/roles.ts";
import { OperatorError } from "../errors/operator-error.ts";
import {
  type EmbeddedPostgres,
  findRunningPostgres,
  hasCluster,
  startEmbeddedPostgres,
} from "./cluster.ts";
import { passwordOf } from "./passwords.ts";

/** The name of the database in the embedded PostgreSQL. */
export const EMBEDDED_DATABASE = "parking";

/**
 * Makes a database of the embedded PostgreSQL, its roles and their passwords, where they are missing.
 *
 * @param building the name of a building that has login roles of its own, as in sql/roles.sql
 */
export const createDatabase = (
  postgres: EmbeddedPostgres,
  database: string,
  building = "parking",
): Promise<void> =>
  withClient(postgres.url("postgres", "postgres"), async (server) => {
    // Two commands at once would get in each other's way. The lock ends with the connection.
    await server.query("select pg_advisory_lock(hashtext('createDatabase'))");
    const exists = "select from pg_database where datname = $1";
    if ((await server.query(exists, [database])).rowCount === 0) {
      await server.query(`create database ${server.escapeIdentifier(database)}`);
    }
    // By default everybody may, and there may make what sql/roles.sql forbids in the building's own.
    await server.query("revoke connect, temporary on database postgres, template1 from public");
    await withClient(postgres.url("postgres", database), (client) =>
      makeRoles(client, building, (role) => passwordOf(role, postgres.password)),
    );
  }).catch(refuseDamage);

/** A copy that is not complete may start, and fails where a file is missing. */
function refuseDamage(cause: unknown): never {
  if (cause instanceof DatabaseError && /^(3D|58|XX00[12])/.test(cause.code ?? "")) {
    throw new OperatorError(
      `DATA_DIR: the database is damaged or not complete, ${cause.message}: restore it from a backup`,
      { cause },
    );
  }
  throw cause;
}

/**
 * The embedded PostgreSQL with our database in it: that of the running service, or one that is
 * started for this command alone.
 */
export async function withPostgres<T>(
  config: Config,
  use: (postgres: EmbeddedPostgres) => Promise<T>,
): Promise<T> {
  const postgres =
    (await findRunningPostgres(config.dataDir)) ??
    (await startEmbeddedPostgres({ dataDir: config.dataDir }));
  try {
    await createDatabase(postgres, EMBEDDED_DATABASE);
    return await use(postgres);
  } finally {
    await postgres.stop();
  }
}

/**
 * The URL with which the service logs in to the database of the settings.
 * @throws OperatorError where no setting names a database, and there is none here
 */
export async function withServiceUrl<T>(
  config: Config,
  use: (url: string) => Promise<T>,
): Promise<T> {
  if (config.databaseUrl !== undefined) return use(config.databaseUrl);
  if (config.production || !hasCluster(config.dataDir))
    throw new OperatorError("DATABASE_URL: is required, to log in as parking_api");
  return withPostgres(config, (postgres) => use(postgres.url("parking_api", EMBEDDED_DATABASE)));
}

/**
 * The URL with which the owner logs in to the database of the settings.
 * @throws OperatorError where DATABASE_URL names a database and no setting names its owner
 */
export async function withOwnerUrl<T>(
  config: Config,
  use: (url: string) => Promise<T>,
): Promise<T> {
  if (config.ownerDatabaseUrl !== undefined) return use(config.ownerDatabaseUrl);
  if (config.databaseUrl !== undefined || config.production) {
    throw new OperatorError("OWNER_DATABASE_URL: is required, to log in as parking_owner");
  }
  // Made here, a new and empty one would look like success.
  if (!hasCluster(config.dataDir)) {
    throw new OperatorError(
      `OWNER_DATABASE_URL: is required, because ${config.dataDir} has no embedded database; npm start makes one`,
    );
  }
  return withPostgres(config, (postgres) => use(postgres.url("parking_owner", EMBEDDED_DATABASE)));
}
