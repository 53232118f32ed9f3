import { rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { readConfig } from "../../../src/config/config.ts";
import { withClient } from "../../../src/database/client.ts";
import { EMBEDDED_DATABASE, withPostgres } from "../../../src/embedded/database.ts";
import type { Checkout } from "./checkout.ts";
import { makeRuleInCheckout, RULE, type RuleInCheckout } from "./rule-in-checkout.ts";

// A command starts PostgreSQL up to three times, on a machine that may be busy with other tests.
let checkout: Checkout;
let foundation: readonly string[];
let writeRule: RuleInCheckout["writeRule"];
let commit: RuleInCheckout["commit"];
let committed: RuleInCheckout["committed"];
let number: RuleInCheckout["number"];
beforeAll(async () => {
  ({ checkout, foundation, writeRule, commit, committed, number } = await makeRuleInCheckout());
});
afterAll(() => checkout.remove());

/** What it says before each of its steps. */
const STEPS = [
  "Checking the SQL of sql/ and migrations/\n",
  "Comparing a database made from sql/ with one made by migrations/\n",
  "Running the migration on the embedded database\n",
  "Writing migrations/schema.sql and docs/\n",
];
const steps = (count: number): string => STEPS.slice(0, count).join("");
// One story in one checkout: each test goes on where the one before it ended.
describe("npm run db:commit", () => {
  it("has nothing to do where no file has changed and current.sql is blank", async () => {
    await checkout.write("migrations/current.sql", "-- nothing yet\n");
    const blank =
      "No file of sql/ has changed and migrations/current.sql is blank: there is nothing to commit\n";
    expect(await commit()).toEqual({ code: 1, output: `${steps(2)}${blank}` });
    await checkout.write("migrations/current.sql", "");
  });

  it("leaves out a file of which only comments or `not valid` have changed", async () => {
    const file = "sql/claims/rules/claims_start_before_end.sql";
    const before = await checkout.read(file);
    await checkout.write(file, `-- Why.\n${before}`);
    expect((await commit()).output).toContain("there is nothing to commit");
    const check = "check (start_time < end_time)";
    await checkout.write(file, before.replace(check, `${check}\n      not valid`));
    expect((await commit()).output).toMatch(/^- .*claims_start_before_end .* NOT VALID$/m);
    expect(await checkout.read("migrations/current.sql")).toBe("");
    await checkout.write(file, before);
  });

  it("shows what a removed file leaves in the database, though nothing else has changed", async () => {
    const file = join(checkout.folder, "sql/claims/rules/claims_start_before_end.sql");
    await rename(file, `${file}.away`);
    expect((await commit()).output.replace(steps(2), "")).toMatch(
      /^migrations\/ does not lead to what sql\/ says .*\n[\s\S]*\+ .*claims_start_before_end/,
    );
    await rename(`${file}.away`, file);
  });

  it("includes a file that has moved and now is as it was before a change", async () => {
    const moved = "reports/views/rules.sql"; // it was reporting/rules.sql once
    const [oldest = ""] = foundation;
    const first = await checkout.read(`migrations/committed/${oldest}`);
    const was = /^--! Included reporting\/rules.sql\n([\s\S]*?)^--! EndIncluded/m.exec(first)?.[1];
    const now = await checkout.read(`sql/${moved}`);
    await checkout.write(`sql/${moved}`, was ?? "");
    expect(await commit()).toMatchObject({ code: 0 });
    expect(await checkout.read(`migrations/committed/${number()}-claims-are-short.sql`)).toContain(
      `--! Included ${moved}\n`,
    );
    expect(await checkout.run("commands/db-uncommit")).toMatchObject({ code: 0 });
    await checkout.write(`sql/${moved}`, now);
    await checkout.write("migrations/current.sql", "");
  });

  it("leaves out the hidden files of editors, such as the locks of Emacs", async () => {
    const lock = join(checkout.folder, "sql/claims/.#table.sql");
    await symlink("dba@host.123:1", lock);
    expect((await commit()).output).toContain("there is nothing to commit");
    await rm(lock);
  });

  it("names in one line a file that is included and not there", async () => {
    await checkout.write("migrations/current.sql", "--!include claims/none.sql\nselect 1;\n");
    expect((await commit()).output.replace(steps(2), "")).toMatch(
      /^ENOENT: no such file or directory, .*sql\/claims\/none\.sql'\n$/,
    );
    await checkout.write("migrations/current.sql", "");
  });

  it("refuses what lint refuses", async () => {
    await writeRule("end_time < start_time + interval '24 hours'", "@staus 409\\nA claim is short");
    expect(await commit()).toEqual({
      code: 1,
      output: `${steps(1)}sql/${RULE}: the comment on claims_are_short has the unknown tag @staus\n`,
    });
    expect(await committed()).toEqual(foundation);
  });

  it("names the file and its line where the parser refuses the SQL", async () => {
    await writeRule("end_time > > start_time");
    const failure = `sql/${RULE}:4: syntax error at or near ">"\n`;
    expect(await commit()).toEqual({ code: 1, output: steps(1) + failure });
    expect(await committed()).toEqual(foundation);
  });

  it("names the file and its line where the SQL fails, once", async () => {
    await writeRule("end_time << start_time");
    const failure = `sql/${RULE}:1: operator does not exist: timestamp with time zone << timestamp with time zone\n`;
    expect(await commit()).toEqual({ code: 1, output: steps(2) + failure });
    expect(await checkout.read("migrations/current.sql")).toBe(`--!include ${RULE}\n`);
    expect(await committed()).toEqual(foundation);
  });

  it("refuses where the migrations say more than sql/", async () => {
    await writeRule("end_time < start_time + interval '24 hours'");
    const ddl = "alter table parking.claims add column colour text;\n";
    await checkout.write("migrations/current.sql", ddl);
    const { code, output } = await commit();
    expect(code).toBe(1);
    expect(output.replace(steps(2), "")).toMatch(
      /^migrations\/ does not lead to what sql\/ says .*\n\+ +colour text/,
    );
    expect(await committed()).toEqual(foundation);
    expect(await checkout.read("migrations/current.sql")).toBe(`${ddl}--!include ${RULE}\n`);
  });

  it("restores current.sql where the migration fails on the rows of the database", async () => {
    await checkout.run("commands/db-reset");
    await withPostgres(readConfig({ DATA_DIR: join(checkout.folder, ".data") }), (postgres) =>
      withClient(postgres.url("postgres", EMBEDDED_DATABASE), (superuser) =>
        superuser.query("insert into private.users (id, email) values (uuidv7(), 'a@b.example')"),
      ),
    );
    await writeRule("end_time < start_time + interval '24 hours'");
    // The planner would compute 1 / 0 without a row.
    const current = `--!include ${RULE}\n\nselect 1 / (length(email) - length(email))\n  from private.users;\n`;
    await checkout.write("migrations/current.sql", current);
    expect(await commit()).toEqual({
      code: 1,
      output: `${steps(3)}migrations/current.sql:3: division by zero\n`,
    });
    expect(await checkout.read("migrations/current.sql")).toBe(current);
    expect(await committed()).toEqual(foundation);
  });

  it("commits the migration, and refreshes the snapshot and the docs", async () => {
    await checkout.write("migrations/current.sql", "");
    await writeRule("end_time < start_time + interval '24 hours'");
    const file = `migrations/committed/${number()}-claims-are-short.sql`;
    expect(await commit()).toEqual({
      code: 0,
      output: `${steps(4)}${file} is committed. migrations/schema.sql and docs/ show it.\n`,
    });
    expect(await checkout.read(file)).toContain(`--! Included ${RULE}\n`);
    expect(await checkout.read("migrations/schema.sql")).toContain("constraint claims_are_short");
    expect(await checkout.read("docs/rules.md")).toContain("`claims_are_short`");
    expect((await checkout.run("commands/check-drift")).output).toMatch(/agree\.\n$/);
  });
});
