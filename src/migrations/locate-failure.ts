import { DatabaseError } from "pg";
import { withClient } from "../database/client.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { expandIncludes, locationIn } from "./sql-files.ts";
import { statementsOf } from "./statements.ts";

/**
 * Runs a file of SQL again, statement by statement, and rolls it back, to find the line that
 * failed: PostgreSQL gives a position only for syntax errors, not for a row that breaks a new rule.
 * Errors that are not PostgreSQL's stay as they are.
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
  /** The position in the whole text, from 1. */
  readonly position: number;
}

const firstFailure = (ownerUrl: string, sql: string): Promise<Failure | undefined> =>
  withClient(ownerUrl, async (client) => {
    await client.query("begin");
    // For a syntax error, PostgreSQL gives the position in the whole text.
    const statements = await statementsOf(sql).catch(() => [{ text: sql, start: 0 }]);
    for (const { text, start } of statements) {
      try {
        await client.query(text);
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error;
        return { error, position: start + Number(error.position ?? 1) };
      }
    }
    return undefined;
  });
