import { DatabaseError } from "pg";
import { type Config, isEmbedded } from "../config/config.ts";
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
 * Makes a database of the embedded PostgreSQL, its roles and their passwords, if they are missing.
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

/** A copy that is not complete may start, and then fails when it needs a missing file. */
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
  { dataDir }: Config,
  use: (postgres: EmbeddedPostgres) => Promise<T>,
): Promise<T> {
  const postgres =
    (await findRunningPostgres(dataDir)) ?? (await startEmbeddedPostgres({ dataDir }));
  return createDatabase(postgres, EMBEDDED_DATABASE)
    .then(() => use(postgres))
    .finally(postgres.stop);
}

/** Uses the URL with which the service logs in to the database of the settings. */
export const withServiceUrl = <T>(config: Config, use: (url: string) => Promise<T>): Promise<T> =>
  withUrl(config, config.databaseUrl, "DATABASE_URL", "parking_api", use);

/** Uses the URL with which the owner logs in to the database of the settings. */
export const withOwnerUrl = <T>(config: Config, use: (url: string) => Promise<T>): Promise<T> =>
  withUrl(config, config.ownerDatabaseUrl, "OWNER_DATABASE_URL", "parking_owner", use);

/** @throws OperatorError if no setting has the URL, and the database is not the embedded one */
async function withUrl<T>(
  config: Config,
  url: string | undefined,
  setting: string,
  role: string,
  use: (url: string) => Promise<T>,
): Promise<T> {
  if (url !== undefined) return use(url);
  if (!isEmbedded(config)) throw new OperatorError(`${setting}: is required, to log in as ${role}`);
  // A new and empty one would look like success.
  if (!hasCluster(config.dataDir))
    throw new OperatorError(
      `${setting}: is required, because ${config.dataDir} has no embedded database; npm start makes one`,
    );
  return withPostgres(config, (postgres) => use(postgres.url(role, EMBEDDED_DATABASE)));
}
