import type { PoolClient } from "pg";
import type { PgClientQuery, WithPgClient } from "postgraphile/@dataplan/pg";
import type { Connections } from "./connections.ts";

/** What the account of the caller must be: the REST endpoints demand the same of it. */
export type Requirement = "none" | "approved" | "administrator";

export interface ReadTransaction {
  /** What PostGraphile reads by. */
  readonly withPgClient: WithPgClient;
  /**
   * Begins, if it has not begun.
   *
   * @returns whose claims it sees: those of the caller; null for all, which administrators see
   * @throws DatabaseError of the rule that the caller's account does not meet
   */
  begin(): Promise<string | null>;
  /** Gives the connection back. Reading on begins anew, and sees what was written meanwhile. */
  end(): Promise<void>;
}

interface Begun {
  readonly client: PoolClient;
  readonly party: string | null;
}

/** Both less than the role's own limit: one statement, and the operation as a whole. */
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
 * What one operation reads, in the name of the caller: however many lists it asks for, it has one
 * connection and sees one moment.
 */
export function readTransaction(
  connections: Connections,
  claims: string,
  requirement: Requirement,
): ReadTransaction {
  let begun: Promise<Begun> | undefined;
  let failure: unknown;

  async function start(): Promise<Begun> {
    const client = await connections.take();
    const [begin, identify, require, see] = await Promise.allSettled([
      client.query("begin isolation level repeatable read read only"),
      client.query(IDENTIFY, [claims]),
      client.query(requirements[requirement]),
      client.query<{ party: string | null }>(SEE),
    ]);
    if (see.status === "fulfilled") return { client, party: see.value.rows[0]?.party ?? null };
    await connections.giveBack(client);
    throw [begin, identify, require, see].find(isRejected)?.reason;
  }

  async function query<Row>({ text, values = [], arrayMode = false }: PgClientQuery) {
    begun ??= start();
    const { client } = await begun;
    try {
      const config = { text, values };
      return arrayMode
        ? await client.query<Row & unknown[]>({ ...config, rowMode: "array" })
        : await client.query<Row & object>(config);
    } catch (error) {
      // Of a transaction that failed all later statements tell that it failed, and not why.
      failure ??= error;
      throw failure;
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
      if (it) await connections.giveBack(it.client);
    },
  };
}

const isRejected = (step: PromiseSettledResult<unknown>): step is PromiseRejectedResult =>
  step.status === "rejected";
