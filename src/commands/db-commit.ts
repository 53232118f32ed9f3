/**
 * `npm run db:commit -- --message "…"`: makes the next committed migration from the changed files
 * of sql/ and the rest of migrations/current.sql, if the SQL is clean and sql/ and migrations/
 * agree. Then it generates again what depends on them.
 */
import { parseArgs } from "node:util";
import { readConfig } from "../config/config.ts";
import type { EmbeddedPostgres } from "../embedded/cluster.ts";
import { EMBEDDED_DATABASE, withPostgres } from "../embedded/database.ts";
import { withThrowAwayPostgres } from "../embedded/throw-away.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { createLogger } from "../log/logger.ts";
import { commitCurrent, includeChangedFiles, isBlank, readCurrent } from "../migrations/current.ts";
import { declaredListing, MIGRATED } from "../migrations/drift.ts";
import { committedMigrations } from "../migrations/history.ts";
import { lintSql } from "../migrations/lint-sql.ts";
import { writeSnapshot } from "../migrations/schema-listing.ts";
import { projectFolder } from "../project-folder.ts";
import { writeDocs } from "./docs/pages.ts";
import { runCommand, wrongUsage } from "./run-command.ts";

await runCommand('npm run db:commit -- --message "what changes"', async (args) => {
  const { values } = parseArgs({ args: [...args], options: { message: { type: "string" } } });
  const { message } = values;
  if (!message) return wrongUsage();
  console.log("Checking the SQL of sql/ and migrations/");
  const problems = await lintSql(projectFolder);
  if (problems.length > 0) throw new OperatorError(problems.join("\n"));
  await includeChangedFiles();
  await withThrowAwayPostgres((postgres) => commitIfAgreed(postgres, message));
  const { file } = (await committedMigrations()).at(-1) ?? {};
  console.log(`${file} is committed. migrations/schema.sql and docs/ show it.`);
});

/** @param postgres a server that is thrown away afterwards */
async function commitIfAgreed(postgres: EmbeddedPostgres, message: string): Promise<void> {
  console.log("Comparing a database made from sql/ with one made by migrations/");
  const listing = await declaredListing(postgres);
  // This check comes last, because a file that was removed from sql/ needs a migration too.
  if (isBlank(await readCurrent())) {
    throw new OperatorError(
      "No file of sql/ has changed and migrations/current.sql is blank: there is nothing to commit",
    );
  }
  console.log("Running the migration on the embedded database");
  await withPostgres(readConfig(process.env), (development) =>
    commitCurrent(development, EMBEDDED_DATABASE, message, createLogger("warn")),
  );
  console.log("Writing migrations/schema.sql and docs/");
  await writeSnapshot(listing);
  await writeDocs(postgres, MIGRATED);
}
