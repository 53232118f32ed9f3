import { glob, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parsePlPgSQL } from "libpg-query";
import { declaredFiles } from "./sql-files.ts";
import { RefusedSql, statementsOf } from "./statements.ts";

/** Files that are not part of a database. */
const APART = /^sql\/(all|roles)\.sql$|\.test\.sql$|^migrations\//;

/**
 * The problems in the SQL of a project folder, one per line: `<file>: <problem>`, or
 * `<file>:<line>: <syntax error>`. What the catalogue of a database shows is tested there.
 */
export async function lintSql(folder: string): Promise<readonly string[]> {
  const declared = new Set(await declaredFiles(join(folder, "sql")));
  const problems: string[] = [];
  const makers = new Map<string, string>();
  const files = glob("{sql,migrations,src}/**/*.sql", {
    cwd: folder,
    exclude: ["migrations/fixtures", "migrations/schema.sql"],
  });
  for await (const file of files) {
    const sql = await readFile(join(folder, file), "utf8");
    try {
      await parseAll(sql);
    } catch (error) {
      if (!(error instanceof RefusedSql)) throw error;
      problems.push(`${file}:${error.line}: ${error.message}`);
    }
    if (!file.startsWith("sql/")) continue;
    problems.push(...Array.from(problemsOf(file, sql), (it) => `${file}: ${it}`));
    for (const [, name = ""] of sql.matchAll(/^create or replace function ([^\s(]+)/gm)) {
      // A folder includes every file, so the function in the last file would silently win.
      const [first, second = ""] = [makers.get(name) ?? "", file].toSorted();
      if (first !== "") problems.push(`${second}: the function ${name} is made by ${first} too`);
      makers.set(name, file);
    }
    if (!APART.test(file) && !declared.has(file.slice("sql/".length))) {
      problems.push(`${file}: sql/all.sql does not include it`);
    }
  }
  return problems.toSorted();
}

/**
 * Finds syntax errors, and unknown variables in PL/pgSQL.
 * @throws RefusedSql with the line where a function begins, because the parser gives no other
 */
async function parseAll(sql: string): Promise<void> {
  for (const { text, line } of await statementsOf(sql)) {
    if (!/^ +language plpgsql$/m.test(text)) continue;
    await parsePlPgSQL(text).catch((error: unknown) => {
      throw new RefusedSql(error, line);
    });
  }
}

function* problemsOf(file: string, sql: string): Generator<string> {
  // A rule of the house may need a function, which has its own file beside the rule.
  const isRule = /^sql\/([^/]+\/rules|house)\/(?!.*\.test\.sql$)/.test(file);
  const name = basename(file, ".sql");
  const comment = `^ *comment on (constraint|index|policy|trigger) (\\w+\\.)?${name}\\b`;
  if (isRule && !/^create or replace function/m.test(sql) && !new RegExp(comment, "m").test(sql)) {
    yield `no constraint, index, policy or trigger ${name} has a comment`;
  }
  for (const [, text = ""] of sql.matchAll(/^ *comment on [^']+ is\s+E?'((?:[^']|'')*)'/gm)) {
    const tags = text.split("\\n").filter((line) => line.startsWith("@"));
    for (const tag of tags) if (!TAG.test(tag)) yield `a comment has an unknown tag: ${tag}`;
  }
}

/** Any other would be part of a message, or be read by nothing. PostGraphile reads primaryKey. */
const TAG = /^@(status 4\d\d|field \w+|de .+|absent .+|primaryKey \w+)$/;
