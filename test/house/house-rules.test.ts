import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { withClient } from "../../src/database/client.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { databaseWithHouse, filesOf, runHouseTest } from "./house-tests.ts";

/** The tests of the building's own rules, and an example, since there may be no such rules. */
const tests = await filesOf("sql/house", ".test.sql");
const EXAMPLE = "test/house/sample";
const EXAMPLE_TEST = `${EXAMPLE}/claims_two_active_at_most.test.sql`;

describe("the rules of the building", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await databaseWithHouse();
  });
  afterAll(() => database.drop());

  for (const file of tests) it(file, () => runHouseTest(database, file));

  it("each have a test beside them", async () => {
    const { rows } = await withClient(database.url("parking_owner"), (owner) =>
      owner.query<{ name: string }>("select name from private.rules"),
    );
    const rules = new Set(rows.map(({ name }) => `sql/house/${name}.sql`));
    const files = (await filesOf("sql/house", ".sql")).filter((file) => rules.has(file));
    expect(files.filter((file) => !tests.includes(file.replace(/\.sql$/, ".test.sql")))).toEqual(
      [],
    );
  });
});

describe("an example of a rule of the building", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await databaseWithHouse(EXAMPLE);
  });
  afterAll(() => database.drop());

  it("passes its test", () => runHouseTest(database, EXAMPLE_TEST));

  it("fails its test where the database lacks it", async () => {
    await using stack = new AsyncDisposableStack();
    const without = await cloneDatabase();
    stack.defer(() => without.drop());
    await expect(runHouseTest(without, EXAMPLE_TEST)).rejects.toThrow("a third active claim");
  });

  it("is in the catalogue like any other rule", async () => {
    const { rows } = await withClient(database.url("parking_api"), (api) =>
      api.query("select message, status from private.rules where name like 'claims_two_%'"),
    );
    expect(rows).toEqual([{ message: "At most two active claims at a time", status: 409 }]);
  });
});
