import type { ClientBase, Pool, PoolClient } from "pg";
import { withClient } from "../../src/database/client.ts";
import type { Person } from "./person.ts";

/** What a token says about a person, as the service hands it to the database. */
export const claimsOf = ({ id, email }: Pick<Person, "id" | "email">): string =>
  JSON.stringify({ sub: id, email });

/** Makes a person the caller of the transaction that the client is in. */
export const setClaims = (client: ClientBase, claims: string) =>
  client.query("select set_config('request.jwt.claims', $1, true)", [claims]);

/** Begins a transaction on a connection of the pool; what `use` does not commit is rolled back. */
export async function withTransactionOf<T>(
  pool: Pool,
  use: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    return await rolledBack(client, () => use(client));
  } finally {
    client.release();
  }
}

/** Begins a transaction; what `use` does not commit is rolled back. */
export async function rolledBack<T>(client: ClientBase, use: () => Promise<T>): Promise<T> {
  await client.query("begin");
  try {
    return await use();
  } finally {
    await client.query("rollback");
  }
}

/** The same on a connection of its own. */
export const tryAt = <T>(url: string, use: (client: ClientBase) => Promise<T>): Promise<T> =>
  withClient(url, (client) => rolledBack(client, () => use(client)));
