import { DatabaseError } from "pg";
import type { Arena } from "../support/arena.ts";
import type { Answer, Failure } from "../support/person.ts";
import { withTransactionOf } from "../support/sql.ts";
import { untilWaiting } from "../support/waiting.ts";

/**
 * Connections for so many rivals over one row: the service lets those requests have a third of its
 * connections, and here they must all reach the database at once.
 */
export const connectionsFor = (rivals: number): number => 3 * rivals;

/** One of several attempts at the same thing; resolves to its outcome. */
export type Rival = () => Promise<string>;

/** How a request ended: its status, and the error if it is one. */
export const outcomeOf = async (request: Promise<Answer<Failure>>): Promise<string> => {
  const { status, body } = await request;
  return status < 400 ? String(status) : `${status} ${body.error}`;
};

/** How a statement ended: "done", or the rule or SQLSTATE that refused it. */
export const outcomeOfSql = (statement: Promise<unknown>): Promise<string> =>
  statement.then(
    () => "done",
    (error: unknown) => {
      if (error instanceof DatabaseError) return error.constraint ?? error.code ?? error.message;
      throw error;
    },
  );

/**
 * Starts all rivals at one moment. Until all have arrived, they wait for a locked table: every operation reads the profiles to see who is approved.
 */
export const atOnce = (
  arena: Arena,
  rivals: readonly Rival[],
  gate = "parking.profiles",
): Promise<string[]> =>
  withTransactionOf(arena.superuser, async (client) => {
    await client.query(`lock table ${gate} in access exclusive mode`);
    const attempts = Promise.all(rivals.map((rival) => rival()));
    await untilWaiting(arena, rivals.length);
    await client.query("commit");
    return attempts;
  });

/** The number of times that each outcome occurred. */
export function tally(outcomes: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** Makes several things, one after the other. */
export async function several<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let index = 0; index < count; index++) made.push(await make(index));
  return made;
}
