import { rename } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { readConfig } from "../../../src/config/config.ts";
import { withClient } from "../../../src/database/client.ts";
import { EMBEDDED_DATABASE, withPostgres } from "../../../src/embedded/database.ts";
import { createLogger } from "../../../src/log/logger.ts";
import { runMigrations } from "../../../src/migrations/run.ts";
import { opened } from "../../support/opened.ts";
import { makeRuleInCheckout, RULE } from "./rule-in-checkout.ts";

// A command starts PostgreSQL up to three times, on a machine that may be busy with other tests.
const project = opened(makeRuleInCheckout, (it) => it.checkout.remove());

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
    await project.checkout.write("migrations/current.sql", "-- nothing yet\n");
    const blank =
      "No file of sql/ has changed and migrations/current.sql is blank: there is nothing to commit\n";
    expect(await project.commit()).toEqual({ code: 1, output: `${steps(2)}${blank}` });
    await project.checkout.write("migrations/current.sql", "");
  });

  it("leaves out a file of which only comments or `not valid` have changed", async () => {
    const file = "sql/claims/rules/claims_start_before_end.sql";
    const before = await project.checkout.read(file);
    await project.checkout.write(file, `-- Why.\n${before}`);
    expect((await project.commit()).output).toContain("there is nothing to commit");
    const check = "check (start_time < end_time)";
    await project.checkout.write(file, before.replace(check, `${check}\n      not valid`));
    expect((await project.commit()).output).toMatch(/^- .*claims_start_before_end .* NOT VALID$/m);
    expect(await project.checkout.read("migrations/current.sql")).toBe("");
    await project.checkout.write(file, before);
  });

  it("shows what a removed file leaves in the database, though nothing else has changed", async () => {
    const file = join(project.checkout.folder, "sql/claims/rules/claims_start_before_end.sql");
    await rename(file, `${file}.away`);
    expect((await project.commit()).output.replace(steps(2), "")).toMatch(
      /^migrations\/ does not lead to what sql\/ says .*\n[\s\S]*\+ .*claims_start_before_end/,
    );
    await rename(`${file}.away`, file);
  });

  it("includes a file that has moved and now is as it was before a change", async () => {
    const moved = "reports/views/rules.sql"; // it was reporting/rules.sql once
    const [oldest = ""] = project.foundation;
    const first = await project.checkout.read(`migrations/committed/${oldest}`);
    const was = /^--! Included reporting\/rules.sql\n([\s\S]*?)^--! EndIncluded/m.exec(first)?.[1];
    const now = await project.checkout.read(`sql/${moved}`);
    await project.checkout.write(`sql/${moved}`, was ?? "");
    expect(await project.commit()).toMatchObject({ code: 0 });
    const committed = `migrations/committed/${project.number()}-claims-are-short.sql`;
    expect(await project.checkout.read(committed)).toContain(`--! Included ${moved}\n`);
    await project.remove(committed);
    await project.remove(".data");
    await project.checkout.write(`sql/${moved}`, now);
  });

  it("refuses what lint refuses", async () => {
    await project.writeRule(
      "end_time < start_time + interval '24 hours'",
      "@staus 409\\nA claim is short",
    );
    expect(await project.commit()).toEqual({
      code: 1,
      output: `${steps(1)}sql/${RULE}: a comment has an unknown tag: @staus 409\n`,
    });
    expect(await project.committed()).toEqual(project.foundation);
  });

  it("names the file and its line where the SQL fails, once", async () => {
    await project.writeRule("end_time << start_time");
    const failure = `sql/${RULE}:1: operator does not exist: timestamp with time zone << timestamp with time zone\n`;
    expect(await project.commit()).toEqual({ code: 1, output: steps(2) + failure });
    expect(await project.checkout.read("migrations/current.sql")).toBe(`--!include ${RULE}\n`);
    expect(await project.committed()).toEqual(project.foundation);
  });

  it("refuses where the migrations say more than sql/", async () => {
    await project.writeRule("end_time < start_time + interval '24 hours'");
    const ddl = "alter table parking.claims add column colour text;\n";
    await project.checkout.write("migrations/current.sql", ddl);
    const { code, output } = await project.commit();
    expect(code).toBe(1);
    expect(output.replace(steps(2), "")).toMatch(
      /^migrations\/ does not lead to what sql\/ says .*\n\+ +colour text/,
    );
    expect(await project.committed()).toEqual(project.foundation);
    expect(await project.checkout.read("migrations/current.sql")).toBe(
      `${ddl}--!include ${RULE}\n`,
    );
  });

  it("restores current.sql where the migration fails on the rows of the database", async () => {
    await withPostgres(
      readConfig({ DATA_DIR: join(project.checkout.folder, ".data") }),
      async (postgres) => {
        await runMigrations(
          postgres.url("parking_owner", EMBEDDED_DATABASE),
          createLogger("silent"),
        );
        await withClient(postgres.url("postgres", EMBEDDED_DATABASE), (superuser) =>
          superuser.query("insert into private.users (id, email) values (uuidv7(), 'a@b.example')"),
        );
      },
    );
    await project.writeRule("end_time < start_time + interval '24 hours'");
    // The planner would compute 1 / 0 without a row.
    const current = `--!include ${RULE}\n\nselect 1 / (length(email) - length(email))\n  from private.users;\n`;
    await project.checkout.write("migrations/current.sql", current);
    expect(await project.commit()).toEqual({
      code: 1,
      output: `${steps(3)}migrations/current.sql:3: division by zero\n`,
    });
    expect(await project.checkout.read("migrations/current.sql")).toBe(current);
    expect(await project.committed()).toEqual(project.foundation);
  });

  it("commits the migration, and refreshes the snapshot and the docs", async () => {
    await project.checkout.write("migrations/current.sql", "");
    await project.writeRule("end_time < start_time + interval '24 hours'");
    const file = `migrations/committed/${project.number()}-claims-are-short.sql`;
    expect(await project.commit()).toEqual({
      code: 0,
      output: `${steps(4)}${file} is committed. migrations/schema.sql and docs/ show it.\n`,
    });
    expect(await project.checkout.read(file)).toContain(`--! Included ${RULE}\n`);
    expect(await project.checkout.read("migrations/schema.sql")).toContain(
      "constraint claims_are_short",
    );
    expect(await project.checkout.read("docs/rules.md")).toContain("`claims_are_short`");
    expect((await project.checkout.run("commands/check-drift")).output).toMatch(/agree\.\n$/);
  });
});
