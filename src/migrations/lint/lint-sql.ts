import { glob, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parsePlPgSQL } from "libpg-query";
import { declaredFiles } from "../sql-files.ts";
import { type Named, RefusedSql, type Statement, statementsOf } from "./statements.ts";

/** Files that are not part of a database. */
const APART = /^sql\/(all|roles)\.sql$|\.test\.sql$|^migrations\//;

/**
 * The problems in the SQL of a project folder, one per line: `<file>: <problem>`, or
 * `<file>:<line>: <syntax error>`.
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
      const statements = await statementsOf(sql);
      if (!file.startsWith("sql/")) continue;
      for (const statement of statements) await parseBody(statement);
      problems.push(...Array.from(problemsOf(file, sql, statements), (it) => `${file}: ${it}`));
      for (const [, name = ""] of sql.matchAll(/^create or replace function ([^\s(]+)/gm)) {
        // A folder includes every file, so the function in the last file would silently win.
        const [first, second = ""] = [makers.get(name) ?? "", file].toSorted();
        if (first !== "") problems.push(`${second}: the function ${name} is made by ${first} too`);
        makers.set(name, file);
      }
    } catch (error) {
      if (!(error instanceof RefusedSql)) throw error;
      problems.push(`${file}:${error.line}: ${error.message}`);
    }
    if (!APART.test(file) && !declared.has(file.slice("sql/".length))) {
      problems.push(`${file}: sql/all.sql does not include it`);
    }
  }
  return problems.toSorted();
}

/**
 * Finds unknown variables in PL/pgSQL, and syntax errors.
 * @throws RefusedSql with the line where the function begins, because the parser gives no other
 */
async function parseBody({ text, line }: Statement): Promise<void> {
  if (!/^ +language plpgsql$/m.test(text)) return;
  await parsePlPgSQL(text).catch((error: unknown) => {
    throw new RefusedSql(error, line);
  });
}

function* problemsOf(
  file: string,
  sql: string,
  statements: readonly Statement[],
): Generator<string> {
  if (/[ \t]$/m.test(sql)) yield "white space at the end of a line";
  for (const { text, makes, comments } of statements) {
    for (const made of makes) {
      const isTrigger = /^ {2}returns trigger$/m.test(text); // the comment of its rule says what it does
      if (made.kind !== "rule" && !isTrigger && !hasComment(made, statements)) {
        yield `the ${made.kind} ${made.name} has no comment`;
      }
      if (made.kind === "function") yield* functionProblems(file, made.name, text);
    }
    if (comments !== undefined) yield* tagProblems(comments);
  }
  yield* ruleProblems(file, statements);
}

function* functionProblems(file: string, name: string, text: string): Generator<string> {
  const isCommand =
    /^create (or replace )?function api\./.test(text) && !/^ {2}(stable|immutable)$/m.test(text);
  if (isCommand && basename(file, ".sql") !== name) yield `${name} is not in a file of its name`;
  const isBoundWhenMade = /^(return|begin atomic)/m.test(text);
  // A setting would keep the planner from inlining the function, and it has only its caller's
  // privileges.
  const isView = /^ {2}language sql\n {2}stable\n(?! {2}security definer)/m.test(text);
  if (!isBoundWhenMade && !isView && !/^ {2}set search_path = ''$/m.test(text)) {
    yield `${name} does not set search_path = ''`;
  }
  if (/security definer(?! -- )/.test(text))
    yield `${name} is security definer and does not say why`;
}

/** A file of rules/ or house/ creates one rule, with the name of the file and a comment. */
function* ruleProblems(file: string, statements: readonly Statement[]): Generator<string> {
  const rules = statements.flatMap(({ makes }) => makes).filter(({ kind }) => kind === "rule");
  if (!/^sql\/([^/]+\/rules|house)\//.test(file)) {
    for (const rule of rules.filter((it) => hasComment(it, statements))) {
      yield `the rule ${rule.name} has no file of its own in rules/`;
    }
    return;
  }
  // A table's statement creates its primary key. The comment in the key's own file makes it a rule.
  const commented = statements.flatMap(({ comments }) => comments?.on ?? []);
  const [rule = commented.find(({ kind }) => kind === "rule"), ...others] = rules;
  if (rule === undefined) {
    // A rule of the house may need a function, which has its own file beside the rule.
    if (!file.startsWith("sql/house/")) yield "makes no constraint, index, trigger or policy";
    return;
  }
  const { name } = rule;
  if (others.length > 0) {
    yield `makes more than one rule: ${rules.map((each) => each.name).join(", ")}`;
  }
  if (!/^[a-z0-9_]+$/.test(name)) yield `the rule ${name} is not named in a to z, 0 to 9 and _`;
  if (basename(file, ".sql") !== name) yield `the rule ${name} is not in a file of its name`;
  if (!hasComment(rule, statements)) yield `the rule ${name} has no comment`;
}

const hasComment = ({ kind, name }: Named, statements: readonly Statement[]): boolean =>
  statements.some(
    ({ comments }) =>
      comments?.on?.kind === kind &&
      comments.on.name === name &&
      comments.text.replace(TAGS, "").trim() !== "",
  );

/** The tags: the first lines of a comment. */
const TAGS = /^(@.*(\n|$))+/;

/** The allowed tags, and the form of each value. */
const known: Readonly<Record<Named["kind"], Readonly<Record<string, RegExp>>>> = {
  rule: { status: /^4\d\d$/, field: /^\w+$/, de: /./ },
  table: { absent: /./ },
  /** For PostGraphile: the column that identifies a row. */
  view: { absent: /./, primaryKey: /^\w+$/ },
  function: {},
};

/** Finds tags that would be read as part of a message, or not at all. */
function* tagProblems({ on, text }: NonNullable<Statement["comments"]>): Generator<string> {
  const name = on?.name ?? "a comment";
  for (const line of TAGS.exec(text)?.[0].trimEnd().split("\n") ?? []) {
    const [, tag = "", value = ""] = /^@(\S*) ?(.*)$/.exec(line) ?? [];
    const format = new Map(Object.entries(on === undefined ? {} : known[on.kind])).get(tag);
    if (format === undefined) yield `the comment on ${name} has the unknown tag @${tag}`;
    else if (!format.test(value)) yield `the comment on ${name} has a wrong value: ${line}`;
  }
}
