import { DatabaseError, type Pool, type PoolClient, type PoolOptions } from "pg";
import { overloaded } from "../errors/problem.ts";
import { unlessLocked } from "../overload/tables.ts";
import { fly, isOutdated, type Row, type Step } from "./flight.ts";
import { gather } from "./gathered-reads.ts";
import { boundsOf, giveUp, isGivenUp } from "./pool.ts";

export type { Row, Statement, Step } from "./flight.ts";

/** The row and the table of a call, and whether its client still waits. */
export interface Circumstances {
  /** The row that the call locks, or the caller where it makes one. */
  readonly row: string;
  /** The table that it needs: while that is locked, one call at a time waits for it. */
  readonly table?: string | undefined;
  /** Whether the client has left. */
  readonly isGone?: (() => boolean) | undefined;
}

/** A rare write hardly ever writes, although it may: it takes no place from those that do. */
export type Kind = "read" | "rare write" | "write";

/** The steps that one request asks of the database, in one transaction. */
interface Call extends Circumstances {
  readonly kind: Kind;
  readonly steps: readonly Step[];
}

const RETRIES = 3;
/** Serialization failure and deadlock: the same request may well succeed when run again. */
const RETRYABLE = new Set(["40001", "40P01"]);

/** A write that takes longer may wait for a standby: the database is asked this often. */
const LINGERING_MS = 1_000;

/**
 * Runs one call as one transaction in the name of the caller.
 *
 * @param claims the verified claims, as JSON; they are set for this transaction only
 * @returns the rows of each step
 * @throws the error of the call, or of the connection
 */
export async function callAs(
  pool: Pool,
  claims: string,
  call: Call,
): Promise<readonly (readonly Row[])[]> {
  const { kind, steps, isGone } = call;
  const values = [claims];
  const isRead = kind === "read";
  return unlessLocked(pool, call.table, isRead, async (isTrial) => {
    // A trial may wait for a lock, so it needs a connection alone.
    if (isRead && !isTrial && steps.every(({ isShort }) => isShort)) {
      try {
        return await together(pool, [{ ...identifyShort, values }], steps, isGone);
      } catch (error) {
        if (!tookLong(error)) throw error;
      }
    }
    const before = [{ ...(isRead ? identifyReadOnly : identify), values }];
    return alone(pool, call, (client) => fly(client, pool.options, { before, steps }));
  });
}

/**
 * Runs one statement in nobody's name, as a transaction of its own. Reads wait behind it: it may wait
 * for no row that somebody else may hold, and for no standby.
 *
 * @returns its rows
 * @throws the error of the statement, or of the connection
 */
export const runAlone = async (pool: Pool, step: Step): Promise<readonly Row[]> => {
  const [rows = []] = await together(pool, [], [step]);
  return rows;
};

/** Runs short steps on a connection that others use too. */
const together = (
  pool: Pool,
  before: readonly Step[],
  steps: readonly Step[],
  isGone?: () => boolean,
): Promise<readonly (readonly Row[])[]> =>
  withRetries(() => gather(pool, (client) => fly(client, pool.options, { before, steps }), isGone));

/** A transaction of several flights. */
export interface Transaction {
  /** @returns the rows of each step */
  readonly run: (steps: readonly Step[]) => Promise<readonly (readonly Row[])[]>;
  /** Runs the last steps, and commits. */
  readonly commit: (steps: readonly Step[]) => Promise<void>;
}

/** Decides from what it reads how the transaction goes on. Without a commit it is rolled back. */
export type Use<T> = (transaction: Transaction) => Promise<T>;

export type Isolation = "read committed" | "repeatable read";

/**
 * Runs what one flight cannot, because a step depends on what an earlier one returned, as one
 * transaction in the name of the caller.
 *
 * @param use is called again when the transaction is tried again
 * @throws the error of a step, of the commit or of the connection; what `use` throws
 */
export async function transactAs<T>(
  pool: Pool,
  claims: string,
  isolation: Isolation,
  circumstances: Circumstances,
  use: Use<T>,
): Promise<T> {
  const transact = async (client: PoolClient) => {
    // The snapshot of a transaction is as old as its first query: this comes before.
    let before = [plain(`begin isolation level ${isolation}`), { ...identify, values: [claims] }];
    let isOpen = true;
    const run = (steps: readonly Step[], staysOpen = true) => {
      const load = { before, steps, staysOpen };
      before = [];
      return fly(client, pool.options, load);
    };
    const commit = async (steps: readonly Step[]) => {
      await run([...steps, plain("commit")], false);
      isOpen = false;
    };
    try {
      return await use({ run: (steps) => run(steps), commit });
    } finally {
      if (isOpen) await rollBack(client, pool.options);
    }
  };
  const write = { ...circumstances, kind: "write" } as const;
  return unlessLocked(pool, write.table, false, () => alone(pool, write, transact));
}

/**
 * Runs what needs a connection alone, when it is its turn. Commits may wait for a standby for as long
 * as it takes, so that is looked into.
 */
async function alone<T>(
  pool: Pool,
  { kind, row, isGone }: Omit<Call, "steps">,
  use: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const { bound, rows, writes, all } = boundsOf(pool);
  const attempt = () =>
    withRetries(async () => {
      const client = await pool.connect();
      try {
        return await use(client);
      } finally {
        client.release();
      }
    });
  if (kind === "read") return bound.run([all()], attempt, isGone);
  if (kind === "rare write") return bound.run([rows(row), all()], attempt, isGone);

  const { commits } = pool.options;
  const reason = commits?.overload();
  if (reason !== undefined) throw overloaded(reason);
  const write = async () => {
    const lingering = setInterval(() => commits?.suspect(), LINGERING_MS);
    try {
      return await attempt();
    } finally {
      clearInterval(lingering);
    }
  };
  return bound.run([rows(row), writes(), all()], write, isGone);
}

async function withRetries<T>(use: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await use();
    } catch (error) {
      if (attempt === RETRIES || !isRetryable(error)) throw error;
    }
  }
}

const isRetryable = (error: unknown): boolean =>
  error instanceof DatabaseError && (RETRYABLE.has(error.code ?? "") || isOutdated(error));

/** PostgreSQL only warns where there is nothing to roll back: after a commit that failed. */
export async function rollBack(client: PoolClient, options: PoolOptions): Promise<void> {
  if (isGivenUp(client)) return;
  await fly(client, options, { steps: [rollbackStep] }).catch(() => giveUp(client));
}

/** A statement without values, named by its text. */
const plain = (text: string): Step => ({ name: text, text, values: [] });

export const rollbackStep = plain("rollback");

/** Both settings are for the transaction only. A transaction that has read cannot become writing again. */
const identify = {
  name: "identify",
  text: "select pg_catalog.set_config('request.jwt.claims', $1, true)",
};
const identifyReadOnly = {
  name: "identify-read-only",
  text: `${identify.text}, pg_catalog.set_config('transaction_read_only', 'on', true)`,
};

/** Others wait behind it: what takes longer than this, or waits for a lock, begins again alone. */
const identifyShort = {
  name: "identify-short",
  text: `${identifyReadOnly.text}, pg_catalog.set_config('lock_timeout', '50ms', true),
    pg_catalog.set_config('statement_timeout', '1s', true)`,
};
const tookLong = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === "55P03" || error.code === "57014");
