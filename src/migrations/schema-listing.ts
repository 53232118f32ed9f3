import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClientBase } from "pg";

const FOLDER = join(import.meta.dirname, "schema-listing");

/**
 * What a database is, as text that reads like SQL and is the same for the same database. Any role
 * may list it; nothing is written.
 */
export async function listSchema(client: ClientBase): Promise<string> {
  const files = (await readdir(FOLDER)).toSorted();
  const queries = await Promise.all(files.map((file) => readFile(join(FOLDER, file), "utf8")));
  const lines: string[] = [];
  // PostgreSQL leaves out the schemas of the search path, and writes times in the session's zone.
  await client.query(`
    begin transaction isolation level repeatable read, read only;
    set local search_path = '';
    set local timezone = 'UTC'`);
  try {
    for (const query of queries) {
      const { rows } = await client.query<{ line: string }>(query);
      lines.push(...rows.map(({ line }) => line));
    }
  } finally {
    await client.query("rollback");
  }
  return `${lines.join("\n")}\n`;
}
