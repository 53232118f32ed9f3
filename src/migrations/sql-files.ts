import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { projectFolder } from "../project-folder.ts";

const SQL = join(projectFolder, "sql");

const INCLUDE = /^--!include (.+\.sql)$/gm;

export const includesOf = (sql: string): readonly string[] =>
  Array.from(sql.matchAll(INCLUDE), ([, file = ""]) => file);

export const includeOf = (file: string): string => `--!include ${file}`;

/**
 * The files of sql/ in the order in which the database is created. sql/all.sql lists folders, and
 * separately each file that must be created earlier or later than the rest of its folder. `./`
 * stands for everything that it does not list.
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

/**
 * The files of a folder: tables, then functions, then views, then rules and everything else, each
 * sorted by name.
 */
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

/** Excludes tests, files that run on their own, and hidden files such as an editor's lock. */
const IS_PART = /^(?!(?:all|roles)\.sql$)(?!(?:.*\/)?\.).*(?<!\.test)\.sql$/;

/** A file that matches the first pattern comes first in its folder, and so on. Others are last. */
const KINDS = [
  /^ *create (unlogged )?(table|domain)/m,
  /^create or replace function/m,
  /^create or replace view/m,
  /(?:)/,
];

/** Replaces lines that include files of sql/ with the files, marked as graphile-migrate does. */
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

/** The files that an expanded text includes, and their text, without those that include others. */
export const includedIn = (sql: string): readonly (readonly [file: string, text: string])[] =>
  Array.from(
    sql.matchAll(/^--! Included (\S+)\n((?:(?!--! (?:End)?Included ).*\n)*)--! EndIncluded \1$/gm),
    ([, file = "", text = ""]) => [file, text],
  );

export interface Location {
  /** The path in the project. */
  readonly file: string;
  readonly line: number;
}

/** The file and line of a position in an expanded text. PostgreSQL counts positions from 1. */
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
