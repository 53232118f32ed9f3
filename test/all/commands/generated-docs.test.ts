import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { describeDatabase } from "../../../src/commands/docs/pages.ts";
import { projectFolder } from "../../../src/project-folder.ts";
import { databaseWithHouse } from "../../house/house-tests.ts";
import type { TestDatabase } from "../../support/database.ts";

let database: TestDatabase;
let pages: ReadonlyMap<string, string>;
beforeAll(async () => {
  database = await databaseWithHouse();
  pages = await describeDatabase(database.url("parking_owner"), database.url("parking_api"));
});
afterAll(() => database.drop());

it.each(["settings.md", "rules.md", "schema.md", "errors.md", "schema.graphql"])(
  "docs/%s is up to date (npm run docs writes it)",
  async (file) => {
    expect(await readFile(join(projectFolder, "docs", file), "utf8")).toBe(pages.get(file));
  },
);
