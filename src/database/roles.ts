import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "pg";
import { projectFolder } from "../project-folder.ts";

/**
 * Makes the roles of the database that the client is connected to, and gives those that log in
 * their passwords. A second run changes nothing but the passwords.
 *
 * @param building the name of a building that has login roles of its own, as in sql/roles.sql
 */
export async function makeRoles(
  client: Client,
  building: string,
  passwordOf: (role: string) => string,
): Promise<void> {
  await client.query("select set_config('parking.building', $1, false)", [building]);
  await client.query(await readFile(join(projectFolder, "sql/roles.sql"), "utf8"));
  for (const role of loginRolesOf(building)) {
    const password = client.escapeLiteral(passwordOf(role));
    await client.query(`alter role ${client.escapeIdentifier(role)} password ${password}`);
  }
}

/** The roles of a building that log in. */
export const loginRolesOf = (building: string): readonly string[] =>
  ["owner", "api", "reporter", "analyst"].map((kind) => `${building}_${kind}`);
