import { DatabaseError, type Pool, type PoolClient, type PoolOptions } from "pg";
import { overloaded } from "../errors/problem.ts";
import { connect, limitersOf, overloadOfPool } from "./connection.ts";
import { fly, isOutdated, type Row, type Step } from "./flight.ts";
import { READ_ONLY } from "./pool.ts";
import { onSharedConnection, sharedConnectionsOf } from "./shared-connections.ts";

export type { Row, Statement, Step } from "./flight.ts";

/** What one request asks of the database, in one transaction. */
export interface Call {
  readonly readOnly: boolean;
  readonly steps: readonly Step[];
  /** It hardly ever writes, although it may: it takes no place from those that do. */
  readonly mostlyReads?: boolean;
}

export interface Circumstances {
  /** The row that the call locks, or the caller where it makes one. */
  readonly row: string;
  /** Whether the client has left. */
  readonly isGone?: (() => boolean) | undefined;
  /** Whether it may wait for a lock: then it has a connection alone. */
  readonly mayWaitLong?: boolean;
}

const RETRIES = 3;
/** Serialization failure and deadlock: the same request may well succeed when run again. */
const RETRYABLE = new Set(["40001", "40P01"]);

/** A write that takes longer may wait for a standby: as often is the database asked. */
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
  { row, isGone, mayWaitLong = false }: Circumstances,
): Promise<readonly (readonly Row[])[]> {
  const { readOnly, steps } = call;
  if (readOnly && !mayWaitLong && steps.every(({ isShort }) => isShort)) {
    try {
      return await besideOthers(pool, [{ ...identifyShort, values: [claims] }], call, isGone);
    } catch (error) {
      if (!tookLong(error)) throw error;
    }
  }
  const before = [{ ...(readOnly ? identifyReadOnly : identify), values: [claims] }];
  const attempt = () =>
    withRetries(async () => runOn(await connect(pool, isGone), before, call, pool.options));
  if (readOnly) return attempt();
  const use = call.mostlyReads ? attempt : () => asWrite(pool, attempt);
  return limitersOf(pool).rows.run(use, row);
}

/**
 * Runs one statement in nobody's name, as a transaction of its own. Reads wait behind it: it may wait
 * for no row that somebody else may hold, and for no standby.
 *
 * @returns its rows
 * @throws the error of the statement, or of the connection
 */
export const runAlone = async (pool: Pool, step: Step): Promise<readonly Row[]> => {
  const [rows = []] = await besideOthers(pool, [], { readOnly: false, steps: [step] });
  return rows;
};

/** Runs a short call on a connection that others use too. */
const besideOthers = (
  pool: Pool,
  before: readonly Step[],
  { readOnly, steps }: Call,
  isGone?: () => boolean,
): Promise<readonly (readonly Row[])[]> => {
  const use = (client: PoolClient) => fly(client, pool.options, { before, steps });
  const isBroken = (error: unknown) => !isUsableAfter(error, readOnly);
  return withRetries(() => onSharedConnection(pool, isGone, use, isBroken));
};

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
export const transactAs = <T>(
  pool: Pool,
  claims: string,
  isolation: Isolation,
  { row, isGone }: Circumstances,
  use: Use<T>,
): Promise<T> => {
  // The snapshot of a transaction is as old as its first query: this comes before.
  const opening = [plain(`begin isolation level ${isolation}`), { ...identify, values: [claims] }];
  const attempt = () =>
    withRetries(async () => transactOn(await connect(pool, isGone), opening, use, pool.options));
  return limitersOf(pool).rows.run(() => asWrite(pool, attempt), row);
};

/** Why a call of this kind would be refused, if it would: known before any work is done for it. */
export const overloadOf = (pool: Pool, kind: "read" | "write"): string | undefined =>
  overloadOfPool(pool) ??
  (kind === "read" ? sharedConnectionsOf(pool).overload() : overloadOfWrites(pool));

const overloadOfWrites = (pool: Pool): string | undefined =>
  pool.options.commits?.overload() ?? limitersOf(pool).writes.overload();

/** Runs what writes when it is its turn. */
async function asWrite<T>(pool: Pool, use: () => Promise<T>): Promise<T> {
  const { commits } = pool.options;
  const reason = commits?.overload();
  if (reason !== undefined) throw overloaded(reason);
  return limitersOf(pool).writes.run(async () => {
    const lingering = setInterval(() => commits?.suspect(), LINGERING_MS);
    try {
      return await use();
    } finally {
      clearInterval(lingering);
    }
  });
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

async function runOn(
  client: PoolClient,
  before: readonly Step[],
  { readOnly, steps }: Call,
  options: PoolOptions,
): Promise<readonly (readonly Row[])[]> {
  try {
    const rows = await fly(client, options, { before, steps });
    client.release();
    return rows;
  } catch (error) {
    client.release(!isUsableAfter(error, readOnly));
    throw error;
  }
}

async function transactOn<T>(
  client: PoolClient,
  opening: readonly Step[],
  use: Use<T>,
  options: PoolOptions,
): Promise<T> {
  let first = opening;
  let isOpen = true;
  let isUsable = true;
  const send = async (steps: readonly Step[], staysOpen: boolean) => {
    const before = first;
    first = [];
    try {
      return await fly(client, options, { before, steps, staysOpen });
    } catch (error) {
      isUsable = isUsableAfter(error, false);
      throw error;
    }
  };
  const run: Transaction["run"] = (steps) => send(steps, true);
  const commit: Transaction["commit"] = async (steps) => {
    await send([...steps, commitStep], false);
    isOpen = false;
  };
  try {
    return await use({ run, commit });
  } finally {
    if (isUsable && isOpen) isUsable = await isRolledBack(client, options);
    client.release(!isUsable);
  }
}

/** PostgreSQL only warns where there is nothing to roll back: after a commit that failed. */
export const isRolledBack = (client: PoolClient, options: PoolOptions): Promise<boolean> =>
  fly(client, options, { steps: [rollbackStep] }).then(
    () => true,
    () => false,
  );

/** A statement without values, named by its text. */
const plain = (text: string): Step => ({ name: text, text, values: [] });

const commitStep = plain("commit");
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

/** A client goes back to the pool only if the transaction is known to be over. */
const isUsableAfter = (error: unknown, readOnly: boolean): boolean =>
  error instanceof DatabaseError &&
  error.severity === "ERROR" &&
  (readOnly || error.code !== READ_ONLY);
