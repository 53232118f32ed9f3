import { expect } from "@jest/globals";
import { DatabaseError } from "pg";
import type { Arena } from "../support/arena.ts";
import type { Answer, Failure } from "../support/person.ts";
import { withTransactionOf } from "../support/sql.ts";
import { untilWaiting } from "../support/waiting.ts";

/**
 * What takes so long was in a jam. Deadlocks, which PostgreSQL looks for after a second, are counted
 * (order.ts); a busy machine alone can take that second.
 */
export const SLOWEST_MS = 3000;

/** One attempt at something that others want too; says how it ended. */
export type Rival = () => Promise<string>;

/** How a request ended: its status, and the error if it is one. */
export const outcomeOf = async (request: Promise<Answer<Failure>>): Promise<string> => {
  const { status, body } = await request;
  return status < 400 ? String(status) : `${status} ${body.error}`;
};

/** How a statement ended: "done", or the rule or SQLSTATE that refused it. */
export const done = (statement: Promise<unknown>): Promise<string> =>
  statement.then(
    () => "done",
    (error: unknown) => {
      if (error instanceof DatabaseError) return error.constraint ?? error.code ?? error.message;
      throw error;
    },
  );

/**
 * Lets the rivals loose on the database at one moment, and nobody wait long for the end. Until all
 * have come they wait for a table: every operation asks the profiles who is approved.
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

    const start = performance.now();
    await client.query("commit");
    const outcomes = await attempts;
    expect(performance.now() - start).toBeLessThan(SLOWEST_MS);
    return outcomes;
  });

/** How many ended how. */
export function tally(outcomes: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** As many of something as are wanted, made one after the other. */
export async function several<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let index = 0; index < count; index++) made.push(await make(index));
  return made;
}
