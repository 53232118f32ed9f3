import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import type { PgClientQuery, WithPgClient } from "postgraphile/@dataplan/pg";
import type { Requirement } from "../../contract/route.ts";
import { fly, isOutdated, type Row, type Statement, type Step } from "../../database/flight.ts";
import { rollBack, rollbackStep } from "../../database/transaction.ts";
import { clientLeft, Problem } from "../../errors/problem.ts";

export interface ReadTransaction {
  /** The function with which PostGraphile reads. */
  readonly withPgClient: WithPgClient;
  /** Whether the caller is an administrator: the guess, or else the answer of the database. */
  isAdministrator(): Promise<boolean>;
  /**
   * Returns the outcome after everything was read.
   * @throws DatabaseError naming the rule that the caller's account does not meet
   */
  outcome(): Promise<ReadOutcome>;
  /** Ends the transaction and returns the connection to the pool. */
  end(): Promise<void>;
}

export interface ReadOutcome {
  /** Whether the result may be shown. If not, an assumption was wrong. */
  readonly isValid: boolean;
  readonly isAdministrator: boolean;
  /** The number of turns of the event loop in which statements were asked for. */
  readonly turns: number;
}

/** Assumptions that save waiting for the database. */
export interface Suppositions {
  readonly isAdministrator: boolean;
  /** All statements are asked for in one turn of the event loop, so there is only one flight. */
  readonly isInOneTurn: boolean;
}

export interface ReadTransactionOptions {
  readonly pool: Pool;
  /** The verified claims of the caller, as JSON. */
  readonly claims: string;
  readonly requirement: Requirement;
  /** Aborted when the client has left. Then nothing more is read. */
  readonly left: AbortSignal;
  /** Without assumptions, each step waits for the one before, and no statement is prepared. */
  readonly supposed?: Suppositions | undefined;
}

interface Asked extends PromiseWithResolvers<readonly Row[]> {
  readonly step: Step;
}

/** The transaction was to end with its first turn, but a statement was asked for later. */
class AnotherTurn extends Error {}

/**
 * Both are shorter than the role's own limits. The first is for a statement, the second for the
 * whole operation.
 */
const STATEMENT_MS = 4_000;
const OPERATION_MS = 8_000;

const begin: Step = {
  name: "graphql-begin",
  text: "begin isolation level repeatable read read only",
  values: [],
};

/** A plan for all values of a condition could not use an index that covers few of them. */
const identify: Statement = {
  name: "graphql-identify",
  text: `
    select pg_catalog.set_config('request.jwt.claims', $1, true),
           pg_catalog.set_config('statement_timeout', '${STATEMENT_MS}', true),
           pg_catalog.set_config('transaction_timeout', '${OPERATION_MS}', true),
           pg_catalog.set_config('plan_cache_mode', 'force_custom_plan', true)`,
};

/** The last column says whether the caller is an administrator. */
const checks: Readonly<Record<Requirement, string>> = {
  none: "select private.is_administrator()",
  approved: "select private.require_approved(), private.is_administrator()",
  staff: "select private.require_staff(), private.is_administrator()",
  administrator: "select private.require_administrator(), private.is_administrator()",
};

/** All statements have one name in the log, because their own names would not help people. */
const GRAPHQL = { name: "graphql" };

/**
 * Begins a read-only transaction in the name of the caller. An operation uses one connection and
 * one snapshot, however many lists it asks for. The statements of one turn of the event loop go out
 * together, as one flight, at the end of the turn.
 */
export function readTransaction(options: ReadTransactionOptions): ReadTransaction {
  const { pool, claims, requirement, left, supposed } = options;
  const areNamed = supposed !== undefined;
  const isInOneTurn = supposed?.isInOneTurn ?? false;
  const connected = pool.connect();
  connected.catch(() => {}); // the first reads throw it
  let asked: Asked[] = [];
  let turns = 0;
  /** The first error. After it, PostgreSQL answers only that the transaction is aborted. */
  let failure: unknown;
  let isOpen = true;
  let lastTurn = Promise.resolve();

  function read(step: Step): Promise<readonly Row[]> {
    if (asked.length === 0) {
      turns++;
      if (isInOneTurn && turns > 1) {
        failure ??= new AnotherTurn();
        return Promise.reject(failure);
      }
      lastTurn = new Promise<void>((resolve) => process.nextTick(resolve)).then(send);
    }
    const it: Asked = { step, ...Promise.withResolvers() };
    asked.push(it);
    return it.promise;
  }

  async function send(): Promise<void> {
    const done: Row[][] = [];
    const client = await connected.catch((error) => {
      failure = error;
    });
    const turn = asked;
    asked = [];
    if (client) {
      const steps = turn.map(({ step }) => step);
      const load = { areNamed, called: [GRAPHQL], done };
      try {
        if (isInOneTurn) {
          await fly(client, pool.options, { ...load, steps: [...steps, rollbackStep] });
          isOpen = false;
        } else await fly(client, pool.options, { ...load, steps, staysOpen: true });
      } catch (error) {
        failure ??= error;
      }
    }
    for (const [i, { resolve, reject }] of turn.entries()) {
      const rows = done[i];
      if (rows) resolve(rows);
      else reject(failure);
    }
  }

  const beginning = Promise.all([
    read(begin),
    read({ ...identify, values: [claims] }),
    read({ name: `graphql-${requirement}`, text: checks[requirement], values: [] }),
  ]);
  const isAdministrator = beginning.then(([, , [row]]) => row?.at(-1) === "t");
  isAdministrator.catch(() => {}); // outcome() throws it

  return {
    withPgClient: async (_settings, use) =>
      use({
        // PostGraphile needs each row as an array of texts, because it reads every value as text.
        async query<Data>(query: PgClientQuery) {
          if (left.aborted) throw clientLeft();
          const rows = await read(stepOf(query));
          return { rows: rows as readonly Data[], rowCount: rows.length, notices: [] };
        },
        withTransaction: () => Promise.reject(new Error("read only")),
      }),
    isAdministrator: async () => supposed?.isAdministrator ?? isAdministrator,
    async outcome() {
      const isWrong = failure instanceof AnotherTurn || isOutdated(failure);
      const seen = await (isWrong ? isAdministrator.catch(() => false) : isAdministrator);
      const isValid = !isWrong && (!supposed || supposed.isAdministrator === seen);
      return { isValid, isAdministrator: seen, turns };
    },
    async end() {
      await lastTurn;
      const client = await connected.catch(() => undefined);
      if (!client) return;
      if (isOpen) await rollBack(client, pool.options);
      client.release();
    },
  };
}

/** The recent statements. A statement that does not come again is not worth keeping. */
const askedBefore = new LRUCache<string, true>({ max: 200 });

/** PostgreSQL truncates longer names. */
const LONGEST_NAME = 63;

/** PostGraphile names a statement by the hash of its text. */
function stepOf({ text, values = [], name: given }: PgClientQuery): Step {
  const name = `graphql-${given ?? hash("sha256", text)}`.slice(0, LONGEST_NAME);
  const isRare = !askedBefore.has(name);
  askedBefore.set(name, true);
  return { name, text, values: values.map(asText), isRare };
}

function asText(value: unknown): string | null {
  if (value === null || typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new Problem("invalid_data"); // PostGraphile reads any JSON in the ids and cursors of clients
}
