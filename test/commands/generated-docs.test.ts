import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { describeRules, describeSchema } from "../../src/commands/describe-database.ts";
import { describeErrors } from "../../src/commands/describe-errors.ts";
import { describeGraphQL } from "../../src/commands/describe-graphql.ts";
import { settingsPage } from "../../src/commands/describe-settings.ts";
import { withClient } from "../../src/database/client.ts";
import { projectFolder } from "../../src/project-folder.ts";
import { databaseWithHouse } from "../house/house-tests.ts";
import type { TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await databaseWithHouse();
});
afterAll(() => database.drop());

it.each([
  ["docs/rules.md", describeRules],
  ["docs/schema.md", describeSchema],
])("%s is up to date (npm run docs writes it)", async (file, describeDatabase) => {
  const generated = await withClient(database.url("parking_owner"), describeDatabase);
  expect(await readFile(join(projectFolder, file), "utf8")).toBe(generated);
});

it("docs/errors.md is up to date (npm run docs writes it)", async () => {
  const generated = await describeErrors(database.url("parking_api"));
  expect(await readFile(join(projectFolder, "docs/errors.md"), "utf8")).toBe(generated);
});

it("docs/schema.graphql is up to date (npm run docs writes it)", async () => {
  const generated = await describeGraphQL(database.url("parking_api"));
  expect(await readFile(join(projectFolder, "docs/schema.graphql"), "utf8")).toBe(generated);
});

it("docs/settings.md is up to date (npm run docs writes it)", async () => {
  expect(await readFile(join(projectFolder, "docs/settings.md"), "utf8")).toBe(settingsPage());
});
