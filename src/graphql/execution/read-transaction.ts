import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import type { PgClientQuery, WithPgClient } from "postgraphile/@dataplan/pg";
import type { Requirement } from "../../contract/route.ts";
import { isOutdated, type Row, type Statement, type Step } from "../../database/flight.ts";
import { clientLeft } from "../../errors/problem.ts";
import { AnotherTurn, openSnapshot, type Snapshot } from "./snapshot.ts";

export interface ReadTransaction {
  /** How PostGraphile reads. */
  readonly withPgClient: WithPgClient;
  /** Whether the caller is an administrator: what was guessed, or else what the database says. */
  isAdministrator(): Promise<boolean>;
  /** Begins, unless it has begun. The first statements are sent with what begins it. */
  begin(): Promise<void>;
  /**
   * Says how it went, once everything was read.
   *
   * @throws DatabaseError naming the rule that the caller's account does not meet
   */
  outcome(): Promise<Outcome>;
  /** Gives the connection back. The next read begins a new transaction and sees later writes. */
  end(): Promise<void>;
}

export interface Outcome {
  /** Whether what was read may be shown. Otherwise a supposition was wrong. */
  readonly isValid: boolean;
  readonly isAdministrator: boolean;
  /** In how many turns of the event loop something was asked for. */
  readonly turns: number;
}

/** What is supposed so that nothing waits for the database first. */
export interface Suppositions {
  readonly isAdministrator: boolean;
  /** That all statements are asked for in one turn of the event loop. */
  readonly isInOneTurn: boolean;
}

export interface Reading {
  readonly pool: Pool;
  /** The verified claims of the caller, as JSON. */
  readonly claims: string;
  readonly requirement: Requirement;
  /** Aborted when the client is gone; nothing more is read then. */
  readonly left: AbortSignal;
  /** Without them everything waits its turn, and no connection keeps a statement. */
  readonly supposed?: Suppositions | undefined;
}

interface Begun {
  readonly snapshot: Snapshot;
  /** Rejected where the transaction could not begin. */
  readonly isAdministrator: Promise<boolean>;
}

/** Both are less than the role's own limits: for one statement, and for the whole operation. */
const STATEMENT_MS = 4_000;
const OPERATION_MS = 8_000;

const begin: Step = {
  name: "graphql-begin",
  text: "begin isolation level repeatable read read only",
  values: [],
};

/** A plan for all values of a condition could not use an index that is for few of them. */
const identify: Statement = {
  name: "graphql-identify",
  text: `
    select pg_catalog.set_config('request.jwt.claims', $1, true),
           pg_catalog.set_config('statement_timeout', '${STATEMENT_MS}', true),
           pg_catalog.set_config('transaction_timeout', '${OPERATION_MS}', true),
           pg_catalog.set_config('plan_cache_mode', 'force_custom_plan', true)`,
};

const requirements: Readonly<Record<Requirement, string>> = {
  none: "select",
  approved: "select private.require_approved()",
  administrator: "select private.require_administrator()",
};

const see: Step = {
  name: "graphql-see",
  text: "select private.is_administrator()",
  values: [],
};

/**
 * Everything that one operation reads, in the name of the caller. However many lists it asks for,
 * it uses one connection and one snapshot.
 */
export function readTransaction(reading: Reading): ReadTransaction {
  const { pool, claims, requirement, left, supposed } = reading;
  let begun: Promise<Begun> | undefined;

  async function start(): Promise<Begun> {
    const snapshot = await openSnapshot(pool, {
      areNamed: supposed !== undefined && pool.options.preparedStatements !== false,
      isInOneTurn: supposed?.isInOneTurn ?? false,
    });
    const steps = [
      begin,
      { ...identify, values: [claims] },
      { name: `graphql-${requirement}`, text: requirements[requirement], values: [] },
      see,
    ];
    const answers = Promise.all(steps.map((step) => snapshot.read(step)));
    const isAdministrator = answers.then((each) => each.at(-1)?.[0]?.[0] === "t");
    isAdministrator.catch(() => {}); // outcome() throws it
    return { snapshot, isAdministrator };
  }

  const beginOnce = (): Promise<Begun> => {
    begun ??= start();
    return begun;
  };

  async function query(asked: PgClientQuery): Promise<readonly Row[]> {
    if (left.aborted) throw clientLeft();
    const { snapshot } = await beginOnce();
    return snapshot.read(stepOf(asked));
  }

  return {
    withPgClient: async (_settings, use) =>
      use({
        // PostGraphile says what a row is: an array of texts, for it reads every value as text.
        async query<Data>(asked: PgClientQuery) {
          const rows = await query(asked);
          return { rows: rows as readonly Data[], rowCount: rows.length, notices: [] };
        },
        withTransaction: () => Promise.reject(new Error("read only")),
      }),
    isAdministrator: async () => supposed?.isAdministrator ?? (await beginOnce()).isAdministrator,
    async begin() {
      await beginOnce();
    },
    async outcome() {
      const { snapshot, isAdministrator: answer } = await beginOnce();
      const turns = snapshot.turns();
      const failure = snapshot.failure();
      if (failure instanceof AnotherTurn || isOutdated(failure))
        return { isValid: false, isAdministrator: await answer.catch(() => false), turns };
      const isAdministrator = await answer;
      const isValid = !supposed || supposed.isAdministrator === isAdministrator;
      return { isValid, isAdministrator, turns };
    },
    async end() {
      const ended = begun;
      begun = undefined;
      const it = await ended?.catch(() => undefined);
      await it?.snapshot.end();
    },
  };
}

/** Asked for lately. A statement that nobody asks for again is not worth keeping. */
const askedBefore = new LRUCache<string, true>({ max: 200 });

/** PostgreSQL cuts off the rest. */
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
  throw new Error(`PostGraphile gave a statement a value that is no text: ${typeof value}`);
}
