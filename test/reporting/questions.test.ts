import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { Client } from "pg";
import { projectFolder } from "../../src/project-folder.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
let reporter: Client;
beforeAll(async () => {
  database = await cloneDatabase();
  reporter = new Client(database.url("parking_reporter"));
  await reporter.connect();
});
afterAll(async () => {
  await reporter.end();
  await database.drop();
});

it("the questions of docs/dba.md can be asked by the reporter", async () => {
  const page = await readFile(join(projectFolder, "docs/dba.md"), "utf8");
  const [, sql = ""] = /^```sql\n(-- How well is each section[\s\S]*?)^```/m.exec(page) ?? [];
  const questions = sql.split(/;\n/).filter((it) => it.trim() !== "");
  expect(questions).toHaveLength(14);
  for (const question of questions) await reporter.query(question);
});
