import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { withClient } from "../database/client.ts";
import { connectionsOfMigrate } from "../database/migrations.ts";
import { projectFolder } from "../project-folder.ts";
import { type EmbeddedPostgres, findRunningPostgres, startEmbeddedPostgres } from "./cluster.ts";

/** The name of the database in the embedded PostgreSQL. */
export const EMBEDDED_DATABASE = "parking";

/** Makes a database of the embedded PostgreSQL, its roles and their passwords, where they are missing. */
export async function createDatabase(postgres: EmbeddedPostgres, database: string): Promise<void> {
  await withClient(postgres.url("postgres", "postgres"), async (client) => {
    const name = client.escapeIdentifier(database);
    const { rowCount } = await client.query("select from pg_database where datname = $1", [
      database,
    ]);
    if (rowCount === 0) await client.query(`create database ${name}`);
  });
  await withClient(postgres.url("postgres", database), async (client) => {
    await client.query(await readFile(join(projectFolder, "sql/roles.sql"), "utf8"));
    for (const role of ["parking_owner", "parking_api", "parking_reporter"]) {
      const password = client.escapeLiteral(postgres.password);
      await client.query(`alter role ${role} password ${password}`);
    }
  });
}

/** The embedded PostgreSQL, with our database in it: that of the running service, or one started for this command alone. */
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
    await connectionsOfMigrate();
    await postgres.stop();
  }
}

/**
 * The URL by which the owner reaches the database of the settings.
 * @throws Error where DATABASE_URL names a database and nothing says how its owner logs in
 */
export async function withOwnerUrl<T>(
  config: Config,
  use: (url: string) => Promise<T>,
): Promise<T> {
  if (config.ownerDatabaseUrl !== undefined) return use(config.ownerDatabaseUrl);
  if (config.databaseUrl !== undefined || config.production) {
    throw new Error("OWNER_DATABASE_URL: is required, to log in as parking_owner");
  }
  return withPostgres(config, (postgres) => use(postgres.url("parking_owner", EMBEDDED_DATABASE)));
}
