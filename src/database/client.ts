import { Client } from "pg";

/** Opens a connection for the time that `use` takes. */
export async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  // One that breaks would otherwise end the process; its user learns it from the next statement.
  client.on("error", () => {});
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
