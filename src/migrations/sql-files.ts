import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { projectFolder } from "../project-folder.ts";

const INCLUDE = /^--!include (.+\.sql)$/gm;

/** The files that a text includes. */
export const includesOf = (sql: string): readonly string[] =>
  Array.from(sql.matchAll(INCLUDE), ([, file = ""]) => file);

/**
 * A text with the included files of sql/ in place of the lines that include them, marked as
 * graphile-migrate marks them.
 */
export async function expandIncludes(
  sql: string,
  folder = join(projectFolder, "sql"),
): Promise<string> {
  const files = includesOf(sql);
  const expanded = await Promise.all(
    files.map(async (file) => {
      const text = await expandIncludes(await readFile(join(folder, file), "utf8"), folder);
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
    (_, file: string) => `--!include ${file}`,
  );

/** The database as sql/ says, without the rules of the building: what the project's own tests need. */
export async function sqlWithoutHouse(): Promise<string> {
  const all = await readFile(join(projectFolder, "sql/all.sql"), "utf8");
  return expandIncludes(all.replace(/^--!include house\/.*$/m, ""));
}

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
