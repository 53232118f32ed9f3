import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { projectFolder } from "../project-folder.ts";

const SQL = join(projectFolder, "sql");

const INCLUDE = /^--!include (.+\.sql)$/gm;

/** The files that a text includes. */
export const includesOf = (sql: string): readonly string[] =>
  Array.from(sql.matchAll(INCLUDE), ([, file = ""]) => file);

export const includeOf = (file: string): string => `--!include ${file}`;

/**
 * The files of sql/ in the order in which the database is made. sql/all.sql lists folders, and by
 * itself each file that cannot be made when the rest of its folder is; `./` is all that it does not list.
 */
export async function declaredFiles(sqlFolder = SQL): Promise<readonly string[]> {
  const all = await readFile(join(sqlFolder, "all.sql"), "utf8");
  const listed = Array.from(all.matchAll(/^--!include (.+)$/gm), ([, path = ""]) => path);
  const files = listed.map(async (path) =>
    path.endsWith("/") ? filesBelow(path, sqlFolder, without(path, listed)) : [path],
  );
  return (await Promise.all(files)).flat();
}

const without = (path: string, paths: readonly string[]): readonly string[] =>
  paths.filter((other) => other !== path);

/** Those of a folder: its tables, then functions, then views, then rules and all else; each by name. */
export async function filesBelow(
  folder: string,
  root: string,
  but: readonly string[] = [],
): Promise<readonly string[]> {
  const names = await readdir(join(root, folder), { recursive: true });
  const found = names.map((name) => join(folder, name));
  const parts = found.filter(
    (file) =>
      IS_PART.test(file) &&
      !but.some((path) => file === path || (path.endsWith("/") && file.startsWith(path))),
  );
  const ranked = await Promise.all(
    parts.toSorted().map(async (file) => {
      const sql = await readFile(join(root, file), "utf8");
      return { file, rank: KINDS.findIndex((kind) => kind.test(sql)) };
    }),
  );
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ file }) => file);
}

/** Neither a test, nor a file that is run by itself, nor a hidden one, such as an editor's lock. */
const IS_PART = /^(?!(?:all|roles)\.sql$)(?!(?:.*\/)?\.).*(?<!\.test)\.sql$/;

/** What makes a file one of the first of its folder, or of the next; the rest is of the last kind. */
const KINDS = [
  /^ *create (unlogged )?(table|domain)/m,
  /^create or replace function/m,
  /^create or replace view/m,
  /(?:)/,
];

/**
 * A text with the included files of sql/ in place of the lines that include them, marked as
 * graphile-migrate marks them.
 */
export async function expandIncludes(sql: string, sqlFolder = SQL): Promise<string> {
  const expanded = await Promise.all(
    includesOf(sql).map(async (file) => {
      const text = await readFile(join(sqlFolder, file), "utf8");
      return [file, `--! Included ${file}\n${text.trim()}\n--! EndIncluded ${file}`] as const;
    }),
  );
  const texts = new Map(expanded);
  return sql.replace(INCLUDE, (_line, file: string) => texts.get(file) ?? "");
}

/** A text with the lines that include files in place of the marked files. */
export const collapseIncludes = (sql: string): string =>
  sql.replace(
    /^--! Included (?<file>\S+)$[\s\S]*?^--! EndIncluded \k<file>$/gm,
    (_, file: string) => includeOf(file),
  );

/** The files that an expanded text includes, and what they were; not those that include others. */
export const includedIn = (sql: string): readonly (readonly [file: string, text: string])[] =>
  Array.from(
    sql.matchAll(/^--! Included (\S+)\n((?:(?!--! (?:End)?Included ).*\n)*)--! EndIncluded \1$/gm),
    ([, file = "", text = ""]) => [file, text],
  );

export interface Location {
  /** Its path in the project. */
  readonly file: string;
  readonly line: number;
}

/** Where a position (from 1, as PostgreSQL counts) of an expanded text was written. */
export function locationIn(sql: string, position: number, outermost: string): Location {
  const places = [{ file: outermost, line: 0 }];
  for (const text of sql.slice(0, position).split("\n")) {
    const included = /^--! Included (\S+)$/.exec(text)?.[1];
    if (/^--! EndIncluded /.test(text)) places.shift();
    else if (places[0] !== undefined) places[0].line += 1;
    if (included !== undefined) places.unshift({ file: `sql/${included}`, line: 0 });
  }
  return places[0] ?? { file: outermost, line: 0 };
}
