import { DatabaseError, type Pool, type PoolClient } from "pg";
import { connect } from "./connection.ts";
import { inTurn } from "./turns.ts";

/** A connection parses it once, and then knows it by its name (63 bytes; PostgreSQL cuts the rest off). */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export interface Step extends Statement {
  readonly values: readonly (string | null)[];
}

/** What one request asks of the database, in one transaction. */
export interface Call {
  readonly readOnly: boolean;
  readonly steps: readonly Step[];
}

/** The values of a row as PostgreSQL's text, in the order of the columns. */
export type Row = readonly (string | null)[];

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
 * Runs one call as one transaction in the name of the caller, in one flight to the database: its
 * statements are sent together (the pool's clients have `pipeline`), and when one of them fails
 * the rest do nothing.
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
      const code = error instanceof DatabaseError ? error.code : undefined;
      if (attempt === RETRIES || code === undefined || !RETRYABLE.has(code)) throw error;
    }
  }
}

async function runOn(
  client: PoolClient,
  claims: string,
  call: Call,
  areNamed = true,
): Promise<readonly (readonly Row[])[]> {
  const send = ({ name, text }: Statement, values: readonly (string | null)[] = []) =>
    client.query<(string | null)[]>({
      name: areNamed ? name : undefined,
      text,
      values: [...values],
      rowMode: "array",
      types: { getTypeParser: () => String },
    });
  const [begun, identified, ...rest] = await Promise.allSettled([
    send(call.readOnly ? beginReadOnly : begin),
    send(setClaims, [claims]),
    ...call.steps.map((step) => send(step, step.values)),
    send(commit),
  ]);
  const failed = [begun, identified, ...rest].find((step) => step?.status === "rejected");
  client.release(failed !== undefined && !isUsableAfter(failed.reason));

  if (failed) throw failed.reason;
  return rest
    .slice(0, -1)
    .flatMap((step) => (step.status === "fulfilled" ? [step.value.rows] : []));
}

const begin = { name: "begin", text: "begin" };
const beginReadOnly = { name: "begin-read-only", text: "begin read only" };
const setClaims = {
  name: "set-claims",
  text: "select pg_catalog.set_config('request.jwt.claims', $1, true)",
};
const commit = { name: "commit", text: "commit" };

/** A server that only reads: after a failover, a new connection leads to the one that writes. */
const READ_ONLY = "25006";

/** A client goes back to the pool only if the transaction is known to be over. */
const isUsableAfter = (error: unknown): boolean =>
  error instanceof DatabaseError && error.severity === "ERROR" && error.code !== READ_ONLY;
