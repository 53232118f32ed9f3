import type { Pool } from "pg";
import { fly, type Row, type Step } from "../../database/flight.ts";

/** A transaction that only reads, on a connection of its own: all of it sees the same state. */
export interface Snapshot {
  /**
   * Reads the rows of a statement. What is asked for in one turn of the event loop goes out
   * together, as one flight, when the turn ends.
   */
  read(step: Step): Promise<readonly Row[]>;
  /** In how many turns something was asked for. */
  turns(): number;
  /** The first error: after it, PostgreSQL only answers that the transaction is aborted. */
  failure(): unknown;
  /** Ends the transaction, and gives the connection back. */
  end(): Promise<void>;
}

/** The transaction was to end with its first turn, and something was asked for later. */
export class AnotherTurn extends Error {}

export interface SnapshotOptions {
  /** Whether the connection may keep the statements. */
  readonly areNamed: boolean;
  /** Whether the transaction ends with its first turn: then all of it is one flight. */
  readonly isInOneTurn: boolean;
}

interface Asked {
  readonly step: Step;
  readonly resolve: (rows: readonly Row[]) => void;
  readonly reject: (reason: unknown) => void;
}

const rollback: Step = { name: "graphql-rollback", text: "rollback", values: [] };

/** In the log all statements have one name: their own would say nothing to a person. */
const GRAPHQL = { name: "graphql" };

/** Takes a connection. The first statements must begin the transaction. */
export async function openSnapshot(
  pool: Pool,
  { areNamed, isInOneTurn }: SnapshotOptions,
): Promise<Snapshot> {
  const client = await pool.connect();
  let asked: Asked[] = [];
  let turns = 0;
  let failure: unknown;
  let isOpen = true;
  let lastTurn = Promise.resolve();

  async function send(): Promise<void> {
    const turn = asked;
    asked = [];
    const steps = turn.map(({ step }) => step);
    const done: Row[][] = [];
    const timing = { startedAt: performance.now() };
    try {
      if (isInOneTurn) {
        await fly(client, [...steps, rollback], areNamed, timing, "no transaction", done);
        isOpen = false;
      } else await fly(client, steps, areNamed, timing, "a transaction", done);
    } catch (error) {
      failure ??= error;
    }
    pool.options.notice?.([GRAPHQL], timing.startedAt);
    for (const [i, { resolve, reject }] of turn.entries()) {
      const rows = done[i];
      if (rows) resolve(rows);
      else reject(failure);
    }
  }

  const isRolledBack = (): Promise<boolean> =>
    fly(client, [rollback], areNamed, { startedAt: performance.now() }).then(
      () => true,
      () => false,
    );

  return {
    async read(step) {
      if (asked.length === 0) {
        turns++;
        if (isInOneTurn && turns > 1) {
          failure ??= new AnotherTurn();
          throw failure;
        }
        const turn = Promise.withResolvers<void>();
        process.nextTick(() => turn.resolve(send()));
        lastTurn = turn.promise;
      }
      const { promise, resolve, reject } = Promise.withResolvers<readonly Row[]>();
      asked.push({ step, resolve, reject });
      return promise;
    },
    turns: () => turns,
    failure: () => failure,
    async end() {
      await lastTurn;
      // A connection that cannot end the transaction is not used again.
      const isOver = !isOpen || (await isRolledBack());
      client.release(!isOver);
    },
  };
}
