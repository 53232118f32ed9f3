/**
 * Part of `npm run lint`: every SQL file parses with PostgreSQL's own parser, the bodies in PL/pgSQL
 * included, and keeps the conventions that a parser can see.
 */
import { OperatorError } from "../errors/operator-error.ts";
import { lintSql } from "../migrations/lint/lint-sql.ts";
import { projectFolder } from "../project-folder.ts";
import { runCommand } from "./run-command.ts";

await runCommand("npm run lint", async () => {
  const problems = await lintSql(projectFolder);
  if (problems.length > 0) throw new OperatorError(problems.join("\n"));
});
