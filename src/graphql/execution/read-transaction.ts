import type { Pool, PoolClient } from "pg";
import type { PgClientQuery, WithPgClient } from "postgraphile/@dataplan/pg";
import { clientLeft } from "../../errors/problem.ts";
import type { Requirement } from "../../rest/route.ts";

export interface ReadTransaction {
  /** How PostGraphile reads. */
  readonly withPgClient: WithPgClient;
  /**
   * Begins, unless it has begun.
   *
   * @returns the id of the caller, who sees only claims they are party to; null for administrators,
   *   who see all claims
   * @throws DatabaseError naming the rule that the caller's account does not meet
   */
  begin(): Promise<string | null>;
  /** Gives the connection back. The next read begins a new transaction and sees later writes. */
  end(): Promise<void>;
}

interface Parts {
  readonly pool: Pool;
  /** The verified claims of the caller, as JSON. */
  readonly claims: string;
  readonly requirement: Requirement;
  /** Aborted when the client is gone; nothing more is read then. */
  readonly left: AbortSignal;
}

/** PostGraphile's statements have no names. */
const GRAPHQL = { name: "graphql" };

interface Begun {
  readonly client: PoolClient;
  readonly party: string | null;
}

/** Both are less than the role's own limits: for one statement, and for the whole operation. */
const STATEMENT_MS = 4_000;
const OPERATION_MS = 8_000;

const IDENTIFY = `
  select pg_catalog.set_config('request.jwt.claims', $1, true),
         pg_catalog.set_config('statement_timeout', '${STATEMENT_MS}', true),
         pg_catalog.set_config('transaction_timeout', '${OPERATION_MS}', true)`;

const SEE = "select case when not private.is_administrator() then private.caller_id() end as party";

const requirements: Readonly<Record<Requirement, string>> = {
  none: "select",
  approved: "select private.require_approved()",
  administrator: "select private.require_administrator()",
};

/**
 * Everything that one operation reads, in the name of the caller. However many lists it asks for,
 * it uses one connection and one snapshot.
 */
export function readTransaction({ pool, claims, requirement, left }: Parts): ReadTransaction {
  let begun: Promise<Begun> | undefined;
  let failure: unknown;

  async function start(): Promise<Begun> {
    const client = await pool.connect();
    const [begin, identify, require, see] = await Promise.allSettled([
      client.query("begin isolation level repeatable read read only"),
      client.query(IDENTIFY, [claims]),
      client.query(requirements[requirement]),
      client.query<{ party: string | null }>(SEE),
    ]);
    if (see.status === "fulfilled") return { client, party: see.value.rows[0]?.party ?? null };
    await giveBack(client);
    throw [begin, identify, require, see].find(isRejected)?.reason;
  }

  async function query<Row>({ text, values = [], arrayMode = false }: PgClientQuery) {
    if (left.aborted) throw clientLeft();
    begun ??= start();
    const { client } = await begun;
    const startedAt = performance.now();
    try {
      const config = { text, values };
      return arrayMode
        ? await client.query<Row & unknown[]>({ ...config, rowMode: "array" })
        : await client.query<Row & object>(config);
    } catch (error) {
      // After a failure, PostgreSQL answers every later statement with "transaction is aborted";
      // the first error has the reason.
      failure ??= error;
      throw failure;
    } finally {
      pool.options.notice?.([GRAPHQL], startedAt);
    }
  }

  return {
    withPgClient: async (_settings, use) => {
      const client = { query, withTransaction: () => Promise.reject(new Error("read only")) };
      return use(client);
    },
    async begin() {
      begun ??= start();
      return (await begun).party;
    },
    async end() {
      const ended = begun;
      begun = undefined;
      failure = undefined;
      const it = await ended?.catch(() => undefined);
      if (it) await giveBack(it.client);
    },
  };
}

/** Ends the transaction. A connection that cannot do that is not used again. */
async function giveBack(client: PoolClient): Promise<void> {
  const isOver = await client.query("rollback").then(
    () => true,
    () => false,
  );
  client.release(!isOver);
}

const isRejected = (step: PromiseSettledResult<unknown>): step is PromiseRejectedResult =>
  step.status === "rejected";
