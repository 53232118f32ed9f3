import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { includesOf } from "../sql-files.ts";
import { commentProblems } from "./comments.ts";
import { functionProblems } from "./functions.ts";
import { ruleProblems } from "./rules.ts";
import { RefusedSql, statementsOf } from "./statements.ts";

/** What no other file includes: it is run by itself. */
const ENTRIES = ["sql/all.sql", "sql/roles.sql"];

/** What is wrong with the SQL of a project folder, a line each: `<file>: <problem>`, or `<file>:<line>: <syntax error>`. */
export async function lintSql(folder: string): Promise<readonly string[]> {
  const included = await includedFrom(folder, "all.sql");
  const problems: string[] = [];
  const files = glob("{sql,migrations,src}/**/*.sql", {
    cwd: folder,
    exclude: ["migrations/fixtures", "migrations/schema.sql"],
  });
  for await (const file of files) {
    const sql = await readFile(join(folder, file), "utf8");
    const found = await problemsOf(file, sql);
    problems.push(...found);
    const isPart = file.startsWith("sql/") && !file.endsWith(".test.sql");
    if (isPart && !ENTRIES.includes(file) && !included.has(file)) {
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

/** The files that a file of sql/ includes, and those that they include. */
async function includedFrom(folder: string, file: string): Promise<ReadonlySet<string>> {
  const files = includesOf(await readFile(join(folder, "sql", file), "utf8"));
  const below = await Promise.all(files.map((each) => includedFrom(folder, each)));
  return new Set([...files.map((each) => `sql/${each}`), ...below.flatMap((set) => [...set])]);
}
