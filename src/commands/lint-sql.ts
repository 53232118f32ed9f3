/**
 * Part of `npm run lint`: every SQL file parses with PostgreSQL's own parser, PL/pgSQL bodies and
 * all, and keeps the rules of the house that a parser can see.
 */
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse, parsePlPgSQL } from "libpg-query";
import { projectFolder } from "../project-folder.ts";

const problems: string[] = [];
for await (const file of glob("{sql,migrations}/**/*.sql", {
  cwd: projectFolder,
  exclude: ["migrations/fixtures", "migrations/schema.sql"],
})) {
  const sql = await readFile(join(projectFolder, file), "utf8");
  problems.push(...(await problemsOf(file, sql)).map((problem) => `${file}: ${problem}`));
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

async function problemsOf(file: string, sql: string): Promise<string[]> {
  try {
    const functions = await functionsOf(sql);
    for (const statement of functions) {
      if (/^ +language plpgsql$/m.test(statement)) await parsePlPgSQL(statement);
    }
    return file.startsWith("sql/") ? styleProblems(file, sql, functions) : [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** The text of each `create function`; the parser counts in bytes. */
async function functionsOf(sql: string): Promise<string[]> {
  const bytes = Buffer.from(sql);
  const { stmts = [] } = await parse(sql);
  return stmts
    .filter(({ stmt }) => stmt !== undefined && "CreateFunctionStmt" in stmt)
    .map(({ stmt_location = 0, stmt_len = bytes.length }) =>
      bytes.toString("utf8", stmt_location, stmt_location + stmt_len),
    );
}

function styleProblems(file: string, sql: string, functions: readonly string[]): string[] {
  const found: string[] = [];
  if (/[ \t]$/m.test(sql)) found.push("white space at the end of a line");
  for (const statement of functions) {
    const name = /function ([\w.]+)/.exec(statement)?.[1] ?? "?";
    if (!file.endsWith(`/${name.split(".")[1]}.sql`))
      found.push(`${name} is not in a file of its name`);
    if (!sql.includes(`comment on function ${name} is`)) found.push(`${name} has no comment`);
    const isBoundWhenMade = /^(return|begin atomic)/m.test(statement);
    if (!isBoundWhenMade && !/^ {2}set search_path = ''$/m.test(statement)) {
      found.push(`${name} does not set search_path = ''`);
    }
    if (/security definer(?! -- )/.test(statement)) {
      found.push(`${name} is security definer and does not say why`);
    }
  }
  return found;
}
