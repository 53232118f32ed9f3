/**
 * Part of `npm run lint`: checks that PostgreSQL's own parser reads every SQL file, including the
 * bodies in PL/pgSQL, and that each file keeps the conventions that a parser can check.
 */
import { OperatorError } from "../errors/operator-error.ts";
import { lintSql } from "../migrations/lint-sql.ts";
import { projectFolder } from "../project-folder.ts";
import { runCommand } from "./run-command.ts";

await runCommand("npm run lint", async () => {
  const problems = await lintSql(projectFolder);
  if (problems.length > 0) throw new OperatorError(problems.join("\n"));
});
