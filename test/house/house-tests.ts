import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { withClient } from "../../src/database/client.ts";
import { expandIncludes, filesBelow, includeOf } from "../../src/migrations/sql-files.ts";
import { projectFolder } from "../../src/project-folder.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";

/** A database with the rules of a folder. */
export async function databaseWithHouse(folder = "sql/house"): Promise<TestDatabase> {
  const database = await cloneDatabase();
  const files = await filesBelow(folder, projectFolder);
  const sql = await expandIncludes(files.map(includeOf).join("\n"), projectFolder);
  await withClient(database.url("parking_owner"), (owner) => owner.query(sql));
  return database;
}

/** Runs one test of a rule as the superuser, after people.sql which helps it, and keeps nothing. */
export async function runHouseTest(database: TestDatabase, file: string): Promise<void> {
  const help = await readFile(join(import.meta.dirname, "people.sql"), "utf8");
  const test = await readFile(join(projectFolder, file), "utf8");
  await withClient(database.url("postgres"), async (superuser) => {
    await superuser.query("begin");
    await superuser.query(help);
    await superuser.query(test);
    await superuser.query("rollback");
  });
}

/** The files of a folder whose names end so, by their paths in the project. */
export async function filesOf(folder: string, ending: string): Promise<readonly string[]> {
  const names = await readdir(join(projectFolder, folder));
  const found = names.filter((name) => name.endsWith(ending)).toSorted();
  return found.map((name) => `${folder}/${name}`);
}
