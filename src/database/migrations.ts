import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Logger as MigrateLogger, migrate, type Settings } from "graphile-migrate";
import type { Logger } from "../log.ts";
import { projectFolder } from "../project-folder.ts";

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
