import { DatabaseError, type Pool, type PoolClient, type QueryConfig } from "pg";

/** One call of a SQL function: a named, prepared statement, so that it is parsed once. */
export interface Call {
  readonly name: string;
  readonly text: string;
  readonly readOnly: boolean;
}

const RETRIES = 3;
/** Serialization failure and deadlock: the same request may well succeed when run again. */
const RETRYABLE = new Set(["40001", "40P01"]);

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
): Promise<Readonly<Record<string, string | null>>> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await attemptCall(pool, claims, call, values);
    } catch (error) {
      const code = error instanceof DatabaseError ? error.code : undefined;
      if (attempt === RETRIES || code === undefined || !RETRYABLE.has(code)) throw error;
    }
  }
}

async function attemptCall(
  pool: Pool,
  claims: string,
  call: Call,
  values: readonly (string | null)[],
): Promise<Readonly<Record<string, string | null>>> {
  const client = await pool.connect();
  const [begun, identified, called, committed] = await Promise.allSettled([
    client.query(call.readOnly ? beginReadOnly : begin),
    client.query({ ...setClaims, values: [claims] }),
    client.query({ name: call.name, text: call.text, values: [...values] }),
    client.query(commit),
  ]);
  const failed = [begun, identified, called, committed].find((step) => step.status === "rejected");
  release(client, failed?.reason);

  if (failed) throw failed.reason;
  if (called.status === "rejected") throw called.reason;
  return called.value.rows[0];
}

const begin = { name: "begin", text: "begin" } satisfies QueryConfig;
const beginReadOnly = { name: "begin-read-only", text: "begin read only" } satisfies QueryConfig;
const setClaims = {
  name: "set-claims",
  text: "select pg_catalog.set_config('request.jwt.claims', $1, true)",
} satisfies QueryConfig;
const commit = { name: "commit", text: "commit" } satisfies QueryConfig;

/** A client goes back to the pool only if the transaction is known to be over. */
function release(client: PoolClient, error: unknown): void {
  const usable =
    error === undefined || (error instanceof DatabaseError && error.severity === "ERROR");
  client.release(!usable);
}
