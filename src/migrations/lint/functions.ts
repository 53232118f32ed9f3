import { basename } from "node:path";
import { parsePlPgSQL } from "libpg-query";
import { RefusedSql, type Statement } from "./statements.ts";

/**
 * What is wrong with the functions of a file. PL/pgSQL bodies are parsed, which finds unknown variables.
 * @throws RefusedSql with the line where the function begins: this parser gives no other
 */
export async function functionProblems(
  file: string,
  statements: readonly Statement[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { text, line, makes } of statements) {
    for (const { kind, name } of makes) {
      if (kind !== "function") continue;
      if (/^ +language plpgsql$/m.test(text)) {
        await parsePlPgSQL(text).catch((error: unknown) => {
          throw new RefusedSql(
            error,
            line + text.slice(0, text.search(/^create/m)).split("\n").length - 1,
          );
        });
      }
      if (basename(file, ".sql") !== name) found.push(`${name} is not in a file of its name`);
      const isBoundWhenMade = /^(return|begin atomic)/m.test(text);
      // A setting would keep the planner from inlining it; its caller's rights are all that it has.
      const isView = /^ {2}language sql\n {2}stable\n {2}security invoker$/m.test(text);
      if (!isBoundWhenMade && !isView && !/^ {2}set search_path = ''$/m.test(text)) {
        found.push(`${name} does not set search_path = ''`);
      }
      if (/security definer(?! -- )/.test(text)) {
        found.push(`${name} is security definer and does not say why`);
      }
    }
  }
  return found;
}
