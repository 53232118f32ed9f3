import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { calculateHash } from "graphile-migrate/dist/hash.js";
import { parseMigrationText } from "graphile-migrate/dist/migration.js";
import { withClient } from "../database/client.ts";
import { OperatorError } from "../errors/operator-error.ts";
import type { Logger } from "../log/logger.ts";
import { projectFolder } from "../project-folder.ts";

/** A committed migration, as graphile-migrate writes it. */
export interface Migration {
  /** The path in the project. */
  readonly file: string;
  readonly number: string;
  readonly hash: string;
  /** Whether its text has changed since it was committed. */
  readonly isEdited: boolean;
  readonly text: string;
  /** The part of the text that runs: everything except the headers. */
  readonly body: string;
}

const FOLDER = "migrations/committed";

/**
 * The committed migrations in order.
 * @throws OperatorError if two have the same number
 */
export async function committedMigrations(): Promise<readonly Migration[]> {
  const names = await readdir(join(projectFolder, FOLDER));
  const files = names.filter((name) => /^\d+(-[\w-]*)?\.sql$/.test(name)).toSorted();
  const migrations = await Promise.all(files.map((name) => readMigration(`${FOLDER}/${name}`)));
  for (const [number, same] of Map.groupBy(migrations, (migration) => migration.number)) {
    if (same.length < 2) continue;
    const files = same.map(({ file }) => file).join(" and ");
    throw new OperatorError(
      `Two migrations have the number ${number}: ${files}. ` +
        "Keep the one that is on the main branch. Remove the other and the development database " +
        "that ran it, DATA_DIR (.data), and commit it again with npm run db:commit.",
    );
  }
  return migrations;
}

async function readMigration(file: string): Promise<Migration> {
  const text = await readFile(join(projectFolder, file), "utf8");
  const { headers, body } = parseMigrationText(file, text);
  const { Hash: committedHash, Previous: previous } = headers;
  const hasItsHash =
    calculateHash(body, previous === "-" ? null : (previous ?? null)) === committedHash;
  return {
    file,
    number: /(\d+)[^/]*$/.exec(file)?.[1] ?? "",
    hash: committedHash ?? "",
    // graphile-migrate checks the hash only before it runs a migration.
    isEdited: !hasItsHash && !("AllowInvalidHash" in headers),
    text,
    body,
  };
}

/** The migrations that a database has run, by number, with their hashes. */
export const migrationsOf = (ownerUrl: string): Promise<ReadonlyMap<string, string>> =>
  withClient(ownerUrl, async (client) => {
    const { rowCount } = await client.query(
      "select from pg_catalog.pg_tables where (schemaname, tablename) = ('graphile_migrate', 'migrations')",
    );
    if (rowCount === 0) return new Map();
    const { rows } = await client.query<{ filename: string; hash: string }>(
      "select filename, hash from graphile_migrate.migrations order by filename",
    );
    return new Map(rows.map(({ filename, hash }) => [filename.replace(/\.sql$/, ""), hash]));
  });

/**
 * Refuses a database that ran other migrations than the committed ones. graphile-migrate itself
 * compares only the numbers, so it would call such a database up to date.
 * @returns the numbers of the migrations that have not run
 */
export async function checkHistory(ownerUrl: string, logger: Logger): Promise<readonly string[]> {
  const run = await migrationsOf(ownerUrl);
  const committed = await committedMigrations();
  const other = committed.find(
    ({ number, hash, isEdited }) => run.has(number) && (isEdited || run.get(number) !== hash),
  );
  if (other !== undefined) {
    throw new OperatorError(
      `This database ran another form of ${other.file} than the one that is committed now. ` +
        "A development database: remove the folder DATA_DIR (.data), and the next start makes it " +
        "anew. A database that people use: restore the file that it ran.",
    );
  }
  const known = new Set(committed.map(({ number }) => number));
  const missing = [...run.keys()].filter((number) => !known.has(number));
  if (missing.length > 0) {
    logger.warn(`The database ran migrations that this checkout lacks: ${missing.join(", ")}`);
  }
  return committed.filter(({ number }) => !run.has(number)).map(({ number }) => number);
}

/** The first migration that the database has not run. After a failure, it is the failed one. */
export async function failedMigration(ownerUrl: string): Promise<Migration | undefined> {
  const run = await migrationsOf(ownerUrl);
  return (await committedMigrations()).find(({ number }) => !run.has(number));
}
