/**
 * `npm run db:commit -- --message "…"`: makes migrations/current.sql the next committed migration,
 * if the SQL is clean and sql/ and migrations/ agree; then refreshes what is generated from them.
 */
import { parseArgs } from "node:util";
import { readConfig } from "../config.ts";
import { committedMigrations } from "../database/migration-history.ts";
import { EMBEDDED_DATABASE, withPostgres } from "../embedded/database.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { createLogger } from "../log.ts";
import { projectFolder } from "../project-folder.ts";
import { commitCurrent, isBlank, readCurrent } from "./current-migration.ts";
import { declaredListing, writeSnapshot } from "./drift.ts";
import { lintSql } from "./lint/lint-sql.ts";
import { runCommand, wrongUsage } from "./run-command.ts";
import { writeDocs } from "./write-docs.ts";

await runCommand('npm run db:commit -- --message "what changes"', async (args) => {
  const { values } = parseArgs({ args: [...args], options: { message: { type: "string" } } });
  const { message } = values;
  if (!message) return wrongUsage();
  if (isBlank(await readCurrent())) {
    throw new OperatorError("migrations/current.sql is blank: there is nothing to commit");
  }
  const problems = await lintSql(projectFolder);
  if (problems.length > 0) throw new OperatorError(problems.join("\n"));
  const listing = await declaredListing();

  await withPostgres(readConfig(process.env), (postgres) =>
    commitCurrent(postgres, EMBEDDED_DATABASE, message, createLogger("warn")),
  );
  await writeSnapshot(listing);
  await writeDocs();
  const { file } = (await committedMigrations()).at(-1) ?? {};
  console.log(`${file} is committed. migrations/schema.sql and docs/ show it.`);
});
