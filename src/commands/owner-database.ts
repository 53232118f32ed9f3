import type { Config } from "../config.ts";
import {
  type EmbeddedPostgres,
  findRunningPostgres,
  startEmbeddedPostgres,
} from "../embedded-postgres.ts";
import { connectionsOfMigrate, createDatabase, EMBEDDED_DATABASE } from "../migrations.ts";

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
