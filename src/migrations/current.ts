import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commit, watch } from "graphile-migrate";
import type { EmbeddedPostgres } from "../embedded/cluster.ts";
import type { Logger } from "../log/logger.ts";
import { projectFolder } from "../project-folder.ts";
import { locatedFailure } from "./locate-failure.ts";
import { withMigrate } from "./run.ts";

const FILE = "migrations/current.sql";

export const readCurrent = (): Promise<string> => readFile(join(projectFolder, FILE), "utf8");
export const writeCurrent = (sql: string): Promise<void> =>
  writeFile(join(projectFolder, FILE), sql);

/** Whether there is nothing in it but comments. */
export const isBlank = (sql: string): boolean =>
  sql.split("\n").every((line) => /^\s*(--(?!!include ).*)?$/.test(line));

/** Runs current.sql on a database, after the committed migrations. */
export async function applyCurrent(ownerUrl: string, logger: Logger): Promise<void> {
  const sql = await readCurrent();
  try {
    await withMigrate(ownerUrl, logger, (settings) => watch(settings, true));
  } catch (error) {
    throw await locatedFailure(error, ownerUrl, FILE, sql);
  }
}

/**
 * Makes current.sql the next committed migration and runs it on a database. If that fails,
 * current.sql stays as it was: graphile-migrate would leave the included files in it.
 */
export async function commitCurrent(
  postgres: EmbeddedPostgres,
  database: string,
  message: string,
  logger: Logger,
): Promise<void> {
  const sql = await readCurrent();
  const ownerUrl = postgres.url("parking_owner", database);
  const others = {
    rootConnectionString: postgres.url("postgres", "postgres"),
    shadowConnectionString: postgres.url("parking_owner", `${database}_shadow`),
  };
  try {
    await withMigrate(ownerUrl, logger, (settings) => commit({ ...settings, ...others }, message));
  } catch (error) {
    await writeCurrent(sql);
    throw await locatedFailure(error, ownerUrl, FILE, sql);
  }
}
