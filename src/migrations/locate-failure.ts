import { parse } from "libpg-query";
import { DatabaseError } from "pg";
import { withClient } from "../database/client.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { expandIncludes, locationIn } from "./sql-files.ts";

/**
 * Runs a file of SQL again, one statement at a time and without keeping anything, to find the line
 * that failed: PostgreSQL gives a position for errors of syntax only, not for a row that breaks a
 * new rule. Anything but PostgreSQL's error stays as it is.
 */
export async function locatedFailure(
  error: unknown,
  ownerUrl: string,
  file: string,
  sql: string,
): Promise<unknown> {
  if (!(error instanceof DatabaseError)) return error;
  const expanded = await expandIncludes(sql);
  const failure = await firstFailure(ownerUrl, expanded);
  const found = failure?.error ?? error;
  const place = failure ? locationIn(expanded, failure.position, file) : { file, line: 1 };
  return new OperatorError(`${place.file}:${place.line}: ${found.message}`, { cause: error });
}

interface Failure {
  readonly error: DatabaseError;
  /** In the whole text, from 1. */
  readonly position: number;
}

const firstFailure = (ownerUrl: string, sql: string): Promise<Failure | undefined> =>
  withClient(ownerUrl, async (client) => {
    await client.query("begin");
    for (const { text, start } of await statementsOf(sql)) {
      try {
        await client.query(text);
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error;
        return { error, position: start + Number(error.position ?? 1) };
      }
    }
    return undefined;
  });

interface Statement {
  readonly text: string;
  readonly start: number;
}

/** Text with an error of syntax is one statement: PostgreSQL gives the position of such an error. */
async function statementsOf(sql: string): Promise<readonly Statement[]> {
  const parsed = await parse(sql).catch(() => undefined);
  if (parsed === undefined) return [{ text: sql, start: 0 }];
  const bytes = Buffer.from(sql); // the parser counts in bytes
  return (parsed.stmts ?? []).map(({ stmt_location = 0, stmt_len = bytes.length }) => {
    const text = bytes.toString("utf8", stmt_location, stmt_location + stmt_len);
    // The comments before a statement may stand in the file before.
    const lead = /^(\s|--.*\n|\/\*[\s\S]*?\*\/)*/.exec(text)?.[0].length ?? 0;
    const start = bytes.toString("utf8", 0, stmt_location).length + lead;
    return { text: text.slice(lead), start };
  });
}
