import { DatabaseError, type Pool, type PoolClient } from "pg";
import { connect } from "./connection.ts";
import { fly, isOutdated, type Row, type Step } from "./flight.ts";
import { inTurn } from "./turns.ts";

export type { Row, Statement, Step } from "./flight.ts";

/** What one request asks of the database, in one transaction. */
export interface Call {
  readonly readOnly: boolean;
  readonly steps: readonly Step[];
}

export interface Circumstances {
  /** The row that the call locks, or the caller where it makes one. */
  readonly row: string;
  /** Whether the client has left. */
  readonly isGone?: (() => boolean) | undefined;
}

const RETRIES = 3;
/** Serialization failure and deadlock: the same request may well succeed when run again. */
const RETRYABLE = new Set(["40001", "40P01"]);

/** Of the connections, those that may wait for one row: other rows always have some left. */
const SHARE_OF_A_ROW = 1 / 3;

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
  { row, isGone }: Circumstances,
): Promise<readonly (readonly Row[])[]> {
  const attempt = () => callWithRetries(pool, claims, call, isGone);
  if (call.readOnly) return attempt();
  return inTurn(row, Math.ceil(pool.options.max * SHARE_OF_A_ROW), attempt);
}

async function callWithRetries(
  pool: Pool,
  claims: string,
  call: Call,
  isGone: Circumstances["isGone"],
): Promise<readonly (readonly Row[])[]> {
  for (let attempt = 0; ; attempt++) {
    try {
      const client = await connect(pool, isGone);
      return await runOn(client, claims, call, pool.options.preparedStatements);
    } catch (error) {
      if (attempt === RETRIES || !isRetryable(error)) throw error;
    }
  }
}

const isRetryable = (error: unknown): boolean =>
  error instanceof DatabaseError && (RETRYABLE.has(error.code ?? "") || isOutdated(error));

async function runOn(
  client: PoolClient,
  claims: string,
  { readOnly, steps }: Call,
  areNamed = true,
): Promise<readonly (readonly Row[])[]> {
  const identify = { ...(readOnly ? beginReadOnly : begin), values: [claims] };
  try {
    const [, ...rows] = await fly(client, [identify, ...steps], areNamed);
    client.release();
    return rows;
  } catch (error) {
    client.release(!isUsableAfter(error, readOnly));
    throw error;
  }
}

/** Both settings are for the transaction only. A transaction that has read cannot become writing again. */
const begin = {
  name: "begin",
  text: "select pg_catalog.set_config('request.jwt.claims', $1, true)",
};
const beginReadOnly = {
  name: "begin-read-only",
  text: `${begin.text}, pg_catalog.set_config('transaction_read_only', 'on', true)`,
};

/** The server only reads: after a failover, a new connection leads to the one that writes. */
const READ_ONLY = "25006";

/** A client goes back to the pool only if the transaction is known to be over. */
const isUsableAfter = (error: unknown, readOnly: boolean): boolean =>
  error instanceof DatabaseError &&
  error.severity === "ERROR" &&
  (readOnly || error.code !== READ_ONLY);
