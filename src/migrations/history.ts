import { hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "pg";
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
  const migrations = await readMigrations();
  for (const [number, same] of Map.groupBy(migrations, (migration) => migration.number)) {
    if (same.length < 2) continue;
    const files = same.map(({ file }) => file).join(" and ");
    throw new OperatorError(
      `Two migrations have the number ${number}: ${files}. ` +
        "Keep the one that is on the main branch. Take the other back with npm run db:uncommit -- " +
        "<its file>, and commit it again under the next number with npm run db:commit.",
    );
  }
  return migrations;
}

/** The committed migrations without the check, for the command that resolves a conflict. */
export async function readMigrations(): Promise<readonly Migration[]> {
  const names = await readdir(join(projectFolder, FOLDER));
  const files = names.filter((name) => /^\d+(-[\w-]*)?\.sql$/.test(name)).toSorted();
  return Promise.all(files.map((name) => readMigration(`${FOLDER}/${name}`)));
}

async function readMigration(file: string): Promise<Migration> {
  const text = await readFile(join(projectFolder, file), "utf8");
  const [, headers = "", body = ""] = /^((?:--! [A-Z].*\n)*)([\s\S]*)$/.exec(text) ?? [];
  const header = (name: string) => new RegExp(`^--! ${name}: (.+)$`, "m").exec(headers)?.[1] ?? "";
  const committedHash = header("Hash");
  return {
    file,
    number: /(\d+)[^/]*$/.exec(file)?.[1] ?? "",
    hash: committedHash,
    isEdited:
      committedHash !== hashOf(header("Previous"), body) &&
      !/^--! AllowInvalidHash$/m.test(headers),
    text,
    body: `${body.trim()}\n`,
  };
}

/** The hash of graphile-migrate, which checks it only before it runs a migration. */
function hashOf(previous: string, body: string): string {
  const before = previous === "-" ? "" : previous;
  return `sha1:${hash("sha1", `${`${before}\n${body.trim()}`.trim()}\n`)}`;
}

/** The migrations that a database has run, by number, with their hashes. */
export const migrationsOf = (ownerUrl: string): Promise<ReadonlyMap<string, string>> =>
  withClient(ownerUrl, async (client) => {
    if (!(await isMigrated(client))) return new Map();
    const { rows } = await client.query<{ filename: string; hash: string }>(
      "select filename, hash from graphile_migrate.migrations order by filename",
    );
    return new Map(rows.map(({ filename, hash }) => [filename.replace(/\.sql$/, ""), hash]));
  });

/** Makes a database forget that it ran a migration. What the migration did stays. */
export const forgetMigration = (ownerUrl: string, hash: string): Promise<void> =>
  withClient(ownerUrl, async (client) => {
    if (!(await isMigrated(client))) return;
    await client.query("delete from graphile_migrate.migrations where hash = $1", [hash]);
  });

async function isMigrated(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(
    "select from pg_catalog.pg_tables where (schemaname, tablename) = ('graphile_migrate', 'migrations')",
  );
  return rowCount === 1;
}

/**
 * Refuses a database that ran other migrations than the committed ones. graphile-migrate itself
 * compares only the numbers, so it would call such a database up to date.
 * @returns the numbers of the migrations that have not run
 */
export async function checkHistory(ownerUrl: string, logger: Logger): Promise<readonly string[]> {
  const run = await migrationsOf(ownerUrl);
  const committed = await readMigrations();
  const other = committed.find(
    ({ number, hash, isEdited }) => run.has(number) && (isEdited || run.get(number) !== hash),
  );
  if (other !== undefined) {
    throw new OperatorError(
      `This database ran another form of ${other.file} than the one that is committed now. ` +
        "A development database: make it anew with npm run db:reset, or remove the folder DATA_DIR " +
        "(.data). A database that people use: restore the file that it ran.",
    );
  }
  const known = new Set(committed.map(({ number }) => number));
  const missing = [...run.keys()].filter((number) => !known.has(number));
  if (missing.length > 0) {
    logger.warn(`The database ran migrations that this checkout lacks: ${missing.join(", ")}`);
  }
  return committed.filter(({ number }) => !run.has(number)).map(({ number }) => number);
}

/** Logs which committed migrations were edited. Only the owner can read what a database ran. */
export async function noticeEdited(logger: Logger): Promise<void> {
  for (const { file, isEdited } of await readMigrations().catch(() => [])) {
    if (isEdited)
      logger.warn(
        `${file} was edited after it was committed: a database that ran it has no such edit`,
      );
  }
}

/** The first migration that the database has not run. After a failure, it is the failed one. */
export async function failedMigration(ownerUrl: string): Promise<Migration | undefined> {
  const run = await migrationsOf(ownerUrl);
  return (await committedMigrations()).find(({ number }) => !run.has(number));
}

/** The released migrations, each with its checksum in the format of `sha256sum`. */
const RELEASED = "migrations/released.sha256";

/** @returns the checksum of each released migration, by its path in the project */
export async function releasedChecksums(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(projectFolder, RELEASED), "utf8");
  const lines = text.matchAll(/^(?<checksum>[0-9a-f]{64}) {2}(?<file>.+)$/gm);
  return new Map(Array.from(lines, ({ groups }) => [groups?.file ?? "", groups?.checksum ?? ""]));
}

/** @throws OperatorError if a released migration is missing or was changed */
export async function refuseChanged(migrations: readonly Migration[]): Promise<void> {
  const texts = new Map(migrations.map(({ file, text }) => [file, text]));
  for (const [file, checksum] of await releasedChecksums()) {
    if (hash("sha256", texts.get(file) ?? "") === checksum) continue;
    throw new OperatorError(
      `${file} is part of a release, and databases have run it: take it from git again, and write a new migration`,
    );
  }
}
