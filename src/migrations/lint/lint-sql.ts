import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { declaredFiles } from "../sql-files.ts";
import { commentProblems } from "./comments.ts";
import { functionProblems } from "./functions.ts";
import { ruleProblems } from "./rules.ts";
import { RefusedSql, statementsOf } from "./statements.ts";

/** What is no part of a database. */
const APART = /^sql\/(all|roles)\.sql$|\.test\.sql$|^migrations\//;

/** What is wrong with the SQL of a project folder, a line each: `<file>: <problem>`, or `<file>:<line>: <syntax error>`. */
export async function lintSql(folder: string): Promise<readonly string[]> {
  const declared = new Set(await declaredFiles(join(folder, "sql")));
  const problems: string[] = [];
  const files = glob("{sql,migrations}/**/*.sql", {
    cwd: folder,
    exclude: ["migrations/fixtures", "migrations/schema.sql"],
  });
  for await (const file of files) {
    const sql = await readFile(join(folder, file), "utf8");
    const found = await problemsOf(file, sql);
    problems.push(...found);
    if (!APART.test(file) && !declared.has(file.slice("sql/".length))) {
      problems.push(`${file}: sql/all.sql does not include it`);
    }
  }
  return problems.toSorted();
}

async function problemsOf(file: string, sql: string): Promise<readonly string[]> {
  try {
    const statements = await statementsOf(sql);
    if (!file.startsWith("sql/")) return [];
    const problems = [
      ...(/[ \t]$/m.test(sql) ? ["white space at the end of a line"] : []),
      ...(await functionProblems(file, statements)),
      ...commentProblems(statements),
      ...ruleProblems(file, statements),
    ];
    return problems.map((problem) => `${file}: ${problem}`);
  } catch (error) {
    if (!(error instanceof RefusedSql)) throw error;
    return [`${file}:${error.line}: ${error.message}`];
  }
}
