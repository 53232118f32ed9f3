import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Logger as MigrateLogger, migrate, type Settings } from "graphile-migrate";
import { clearAllPools } from "graphile-migrate/dist/pgReal.js";
import { DatabaseError } from "pg";
import { withClient } from "../database/client.ts";
import { OperatorError } from "../errors/operator-error.ts";
import type { Logger } from "../log/logger.ts";
import { projectFolder } from "../project-folder.ts";
import { checkHistory, failedMigration } from "./history.ts";
import { withPatience } from "./locks.ts";
import { locationIn } from "./sql-files.ts";

const gmrc: Settings = JSON.parse(readFileSync(join(projectFolder, ".gmrc"), "utf8"));

/** The content of current.sql after a commit. */
export const BLANK_MIGRATION = gmrc.blankMigrationContent ?? "";

/** The time that a migration's statement waits for a lock. Requests queue behind it that long. */
const LOCK_TIMEOUT = "2s";

/** Settings for graphile-migrate. `.gmrc` has the rest, so that its own command line works too. */
const migrateSettings = (ownerUrl: string, logger: Logger, applicationName: string): Settings => ({
  ...gmrc,
  migrationsFolder: join(projectFolder, "migrations"),
  connectionString: ownerUrl,
  pgSettings: { application_name: applicationName, lock_timeout: LOCK_TIMEOUT },
  logger: new MigrateLogger(() => (level, message) => {
    // An error is also thrown, and the command that catches it prints it once. The exception is a
    // connection that breaks while it is idle: after that error, graphile-migrate ends the process.
    if (level === "error" && message.includes("in the PgPool")) logger.fatal(message);
    else if (level === "warning") logger.warn(message);
    else if (level !== "error") logger.info(message);
  }),
});

/**
 * The only way to call graphile-migrate. It closes the call's connections before it returns.
 * graphile-migrate keeps them for another 200 ms and ends the process if one breaks, for example
 * when the embedded server stops. Then the process could not print why a start or a migration
 * failed.
 */
export async function withMigrate<T>(
  ownerUrl: string,
  logger: Logger,
  use: (settings: Settings, applicationName: string) => Promise<T>,
): Promise<T> {
  await checkHistory(ownerUrl, logger);
  const applicationName = `parking-migrate-${randomBytes(4).toString("hex")}`;
  try {
    return await use(migrateSettings(ownerUrl, logger, applicationName), applicationName);
  } finally {
    clearAllPools();
    await connectionsClosed(ownerUrl, applicationName);
  }
}

/** Migrates the owner's database to the newest committed migration. */
export const runMigrations = (ownerUrl: string, logger: Logger): Promise<void> =>
  withMigrate(ownerUrl, logger, (settings, applicationName) =>
    withPatience({ ownerUrl, applicationName, logger }, () => migrate(settings)),
  ).catch(async (error: unknown) => {
    throw error instanceof DatabaseError ? await explained(error, ownerUrl) : error;
  });

/** Names the migration that failed, and the line of its file if PostgreSQL gives a position. */
async function explained(error: DatabaseError, ownerUrl: string): Promise<Error> {
  const failed = await failedMigration(ownerUrl).catch(() => undefined);
  if (failed === undefined) return error;
  const { text, body } = failed;
  const position = text.indexOf(body) + Number(error.position ?? 0);
  const { file, line } = locationIn(text, position, failed.file);
  const place = error.position === undefined ? "" : ` at ${file}:${line}`;
  const lacksRole = error.code === "42704" && error.message.startsWith("role ");
  const hint = lacksRole ? ". Run sql/roles.sql in this database first, as a superuser" : "";
  const message = `${failed.file} failed${place}: ${error.message}${hint}`;
  return new OperatorError(message, { cause: error });
}

/** The longest time in which its connections close. */
const PATIENCE_MS = 10_000;

/** Every role may see all application names, so this finds the superuser's connections too. */
const connectionsClosed = (ownerUrl: string, applicationName: string): Promise<void> =>
  withClient(ownerUrl, async (client) => {
    const sql = "select from pg_catalog.pg_stat_activity where application_name = $1";
    const deadline = Date.now() + PATIENCE_MS;
    while (((await client.query(sql, [applicationName])).rowCount ?? 0) > 0) {
      if (Date.now() > deadline) throw new Error("graphile-migrate does not close its connections");
      await sleep(10);
    }
  });
