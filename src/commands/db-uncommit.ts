/**
 * `npm run db:uncommit [-- <file>]`: moves the newest committed migration back to
 * migrations/current.sql before it is released. If two branches made migrations with the same
 * number, `<file>` says which one. (The uncommit of graphile-migrate fails in that case.)
 */
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { readConfig } from "../config/config.ts";
import { EMBEDDED_DATABASE, withPostgres } from "../embedded/database.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { isBlank, readCurrent, writeCurrent } from "../migrations/current.ts";
import {
  forgetMigration,
  type Migration,
  readMigrations,
  releasedChecksums,
} from "../migrations/history.ts";
import { collapseIncludes } from "../migrations/sql-files.ts";
import { projectFolder } from "../project-folder.ts";
import { runCommand, wrongUsage } from "./run-command.ts";

await runCommand(
  "npm run db:uncommit [-- <file of migrations/committed>]",
  async ([name, ...others]) => {
    if (others.length > 0) wrongUsage();
    const { file, body, hash } = newest(await readMigrations(), name);
    if ((await releasedChecksums()).has(file)) {
      throw new OperatorError(`${file} is part of a release: write a new migration`);
    }
    if (!isBlank(await readCurrent())) {
      throw new OperatorError("migrations/current.sql is not blank: commit it or empty it first");
    }
    await withPostgres(readConfig(process.env), (postgres) =>
      forgetMigration(postgres.url("parking_owner", EMBEDDED_DATABASE), hash),
    );
    await writeCurrent(collapseIncludes(body));
    await rm(join(projectFolder, file));
    console.log(`${file} is in migrations/current.sql again.`);
  },
);

/** The named migration, or else the last one. No migration may follow it. */
function newest(migrations: readonly Migration[], name: string | undefined): Migration {
  const last = migrations.at(-1);
  if (last === undefined) throw new OperatorError("There is no committed migration");
  const same = migrations.filter(({ number }) => number === last.number);
  const named = same.find(({ file }) => name !== undefined && basename(file) === basename(name));
  if (named !== undefined) return named;
  const files = same.map(({ file }) => file).join(" or ");
  if (name !== undefined) throw new OperatorError(`Only the newest can be taken back: ${files}`);
  if (same.length > 1) throw new OperatorError(`Say which one: npm run db:uncommit -- ${files}`);
  return last;
}
