import { DatabaseError, type Pool, type PoolClient } from "pg";
import { connect } from "./connection.ts";
import { inTurn } from "./turns.ts";

/** By its name a connection remembers it, so that it is parsed once. */
interface Statement {
  readonly name: string;
  readonly text: string;
}

/** One call of a SQL function. */
export interface Call extends Statement {
  readonly readOnly: boolean;
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
 * Runs one call as one transaction in the name of the caller, in one flight to the database: its
 * four statements are sent together (the pool's clients have `pipeline`), and when one of them
 * fails the rest do nothing.
 *
 * @param claims the verified claims, as JSON; they are set for this transaction only
 * @throws the error of the call, or of the connection
 */
export async function callAs(
  pool: Pool,
  claims: string,
  call: Call,
  values: readonly (string | null)[],
  { row, isGone }: Circumstances,
): Promise<Row> {
  const attempt = () => callWithRetries(pool, claims, call, values, isGone);
  if (call.readOnly) return attempt();
  return inTurn(row, Math.ceil(pool.options.max * SHARE_OF_A_ROW), attempt);
}

type Row = Readonly<Record<string, string | null>>;

async function callWithRetries(
  pool: Pool,
  claims: string,
  call: Call,
  values: readonly (string | null)[],
  isGone: Circumstances["isGone"],
): Promise<Row> {
  for (let attempt = 0; ; attempt++) {
    try {
      const client = await connect(pool, isGone);
      return await runOn(client, claims, call, values, pool.options.preparedStatements);
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
  values: readonly (string | null)[],
  areNamed = true,
): Promise<Row> {
  const send = ({ name, text }: Statement, parameters?: (string | null)[]) =>
    client.query<Row>({ name: areNamed ? name : undefined, text, values: parameters });
  const [begun, identified, called, committed] = await Promise.allSettled([
    send(call.readOnly ? beginReadOnly : begin),
    send(setClaims, [claims]),
    send(call, [...values]),
    send(commit),
  ]);
  const failed = [begun, identified, called, committed].find((step) => step.status === "rejected");
  client.release(failed !== undefined && !isUsableAfter(failed.reason));

  if (failed) throw failed.reason;
  if (called.status === "rejected") throw called.reason;
  const [row] = called.value.rows;
  if (row === undefined) throw new Error(`${call.name} returned no row`);
  return row;
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
