import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commit, watch } from "graphile-migrate";
import type { EmbeddedPostgres } from "../embedded/cluster.ts";
import type { Logger } from "../log/logger.ts";
import { projectFolder } from "../project-folder.ts";
import { committedMigrations } from "./history.ts";
import { locatedFailure } from "./locate-failure.ts";
import { BLANK_MIGRATION, withMigrate } from "./run.ts";
import { declaredFiles, expandIncludes, includedIn, includeOf, includesOf } from "./sql-files.ts";

const FILE = "migrations/current.sql";

export const readCurrent = (): Promise<string> => readFile(join(projectFolder, FILE), "utf8");
export const writeCurrent = (sql: string): Promise<void> =>
  writeFile(join(projectFolder, FILE), sql);

/** Whether it contains only comments. */
export const isBlank = (sql: string): boolean =>
  sql.split("\n").every((line) => /^\s*(--(?!!include ).*)?$/.test(line));

/**
 * Adds the files of sql/ that are new or changed since the last committed migration to the end of
 * current.sql, in the order of sql/all.sql. A line that stands before other statements stays there.
 * @returns whether it changed the file
 */
export async function includeChangedFiles(): Promise<boolean> {
  const current = await readCurrent();
  const lines = current.replace(BLANK_MIGRATION, "").trimEnd().split("\n");
  const end = lines.findLastIndex((line) => !/^(--!include .*)?$/.test(line)) + 1;
  const before = lines.slice(0, end);
  const last = new Set([...includesOf(current), ...(await changedFiles())]);
  for (const file of includesOf(before.join("\n"))) last.delete(file);
  const included = (await declaredFiles()).filter((file) => last.has(file)).map(includeOf);
  if (lines.slice(end).join("\n") === included.join("\n")) return false;
  await writeCurrent(`${[...before, ...included].join("\n")}\n`);
  return true;
}

async function changedFiles(): Promise<readonly string[]> {
  const migrations = await committedMigrations();
  const committed = new Map(migrations.flatMap(({ text }) => includedIn(text)));
  const known = new Set(Array.from(committed.values(), essence));
  const files = await Promise.all(
    (await declaredFiles()).map(async (file) => {
      const sql = essence(await readFile(join(projectFolder, "sql", file), "utf8"));
      const before = committed.get(file);
      // A file that was never committed may be a known file that has moved.
      const isSame = before === undefined ? known.has(sql) : essence(before) === sql;
      return isSame ? [] : [file];
    }),
  );
  return files.flat();
}

/**
 * What a file creates: its text without the comments around it, and without `not valid`, which
 * another migration's statement removes (docs/dba.md). If this misses a change, check:drift finds
 * it.
 */
const essence = (sql: string): string =>
  sql
    .replace(/^(--.*|\/\*[\s\S]*?\*\/)\n/gm, "")
    .replace(/\s+not valid(?=[;,])/g, "")
    .trim();

/** Runs current.sql on a database, after the committed migrations. */
export async function applyCurrent(ownerUrl: string, logger: Logger): Promise<void> {
  const sql = await readCurrent();
  await expandIncludes(sql); // throws if a file is missing
  try {
    await withMigrate(ownerUrl, logger, (settings) => watch(settings, true));
  } catch (error) {
    throw await locatedFailure(error, ownerUrl, FILE, sql);
  }
}

/**
 * Makes current.sql the next committed migration and runs it on a database. If that fails,
 * current.sql stays as it was, because graphile-migrate would leave the included files in it.
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
