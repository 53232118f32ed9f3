import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Logger as MigrateLogger, migrate, type Settings } from "graphile-migrate";
import { Client } from "pg";
import type { EmbeddedPostgres } from "./embedded-postgres.ts";
import type { Logger } from "./log.ts";

/** The name of the database in the embedded PostgreSQL. */
export const EMBEDDED_DATABASE = "parking";

export const projectFolder = join(import.meta.dirname, "..");

const gmrc: Settings = JSON.parse(readFileSync(join(projectFolder, ".gmrc"), "utf8"));

/** What graphile-migrate is told; .gmrc says the rest, for it and for its command line alike. */
export const migrateSettings = (ownerUrl: string, logger: Logger): Settings => ({
  ...gmrc,
  migrationsFolder: join(projectFolder, "migrations"),
  connectionString: ownerUrl,
  logger: new MigrateLogger(() => (level, message) => {
    if (level === "error") logger.error(message);
    else if (level === "warning") logger.warn(message);
    else logger.info(message);
  }),
});

/** Brings the owner's database to the newest committed migration. */
export const runMigrations = (ownerUrl: string, logger: Logger): Promise<void> =>
  migrate(migrateSettings(ownerUrl, logger));

/**
 * To be awaited before a server is stopped that was just migrated: graphile-migrate keeps its
 * connections for 200 ms more, and ends the whole process if one of them breaks.
 */
export const connectionsOfMigrate = (): Promise<void> => sleep(300);

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

/** Holds a connection for as long as `use` takes. */
export async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
