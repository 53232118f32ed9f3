import { spawn } from "node:child_process";
import { mkdir, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { readConfig } from "../../src/config/config.ts";
import { withClient } from "../../src/database/client.ts";
import { EMBEDDED_DATABASE, withPostgres } from "../../src/embedded/database.ts";
import { environment } from "../support/environment.ts";
import { until } from "../support/waiting.ts";
import { type Checkout, makeCheckout } from "./checkout.ts";

// A command starts PostgreSQL up to three times, on a machine that may be busy with other tests.
let checkout: Checkout;
let foundation: readonly string[];
beforeAll(async () => {
  checkout = await makeCheckout();
  foundation = await checkout.list("migrations/committed");
});
afterAll(() => checkout.remove());

const RULE = "claims/rules/claims_are_short.sql";
const writeRule = async (condition: string, comment = "A claim is short"): Promise<void> => {
  await checkout.write(
    `sql/${RULE}`,
    `alter table parking.claims
  drop constraint if exists claims_are_short,
  add constraint claims_are_short
    check (${condition});

comment on constraint claims_are_short on parking.claims is
  E'${comment}';
`,
  );
};
const commit = (message = "claims are short") =>
  checkout.run("commands/db-commit", ["--message", message]);
/** What it says before each of its steps. */
const STEPS = [
  "Checking the SQL of sql/ and migrations/\n",
  "Comparing a database made from sql/ with one made by migrations/\n",
  "Running the migration on the embedded database\n",
  "Writing migrations/schema.sql and docs/\n",
];
const steps = (count: number): string => STEPS.slice(0, count).join("");
/** The number of a migration that comes after those of the project. */
const number = (after = 1): string => String(foundation.length + after).padStart(6, "0");
const committed = () => checkout.list("migrations/committed");

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

describe("two migrations of the same number", () => {
  const theirs = () => `${number()}-spots-are-many.sql`;

  it("are named by npm run check:drift and npm run migrate, with what to do", async () => {
    const own = await checkout.read(`migrations/committed/${number()}-claims-are-short.sql`);
    const other = own.replace(/^--! Hash: .*/m, "--! Hash: sha1:theirs");
    await checkout.write(`migrations/committed/${theirs()}`, other);
    const files = ["claims-are-short", "spots-are-many"].map(
      (name) => `migrations/committed/${number()}-${name}\\.sql`,
    );
    const advice = expect.stringMatching(
      `^Two migrations have the number ${number()}: ${files.join(" and ")}\\. .*npm run db:uncommit`,
    );
    for (const command of ["check-drift", "migrate"]) {
      expect(await checkout.run(`commands/${command}`)).toEqual({ code: 1, output: advice });
    }
  });

  it("are taken back by name with npm run db:uncommit", async () => {
    expect(await checkout.run("commands/db-uncommit")).toEqual({
      code: 1,
      output: expect.stringMatching(/^Say which one: npm run db:uncommit -- /),
    });
    expect(await checkout.run("commands/db-uncommit", [theirs()])).toMatchObject({ code: 0 });
    expect(await committed()).toEqual([...foundation, `${number()}-claims-are-short.sql`]);
  });
});

describe("npm run db:uncommit", () => {
  it("overwrites nothing", async () => {
    expect(await checkout.run("commands/db-uncommit")).toEqual({
      code: 1,
      output: "migrations/current.sql is not blank: commit it or empty it first\n",
    });
  });

  it("puts the newest migration back, so that it can be committed again", async () => {
    await checkout.write("migrations/current.sql", "");
    expect(await checkout.run("commands/db-uncommit")).toEqual({
      code: 0,
      output: `migrations/committed/${number()}-claims-are-short.sql is in migrations/current.sql again.\n`,
    });
    expect(await checkout.read("migrations/current.sql")).toBe(`--!include ${RULE}\n`);
    expect(await committed()).toEqual(foundation);
    expect(await commit("claims are short after all")).toMatchObject({ code: 0 });
  });
});

describe("npm run db:watch", () => {
  it("names the file and its line where the SQL fails, once, and goes on", async () => {
    const watching = spawn(process.execPath, ["src/commands/db-watch.ts"], {
      cwd: checkout.folder,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const lines: string[] = [];
    for (const stream of [watching.stdout, watching.stderr]) {
      createInterface(stream).on("line", (line) => lines.push(line));
    }
    const printed = async (count: number): Promise<string | undefined> => {
      await until(`line ${count}`, async () => lines.length >= count);
      return lines[count - 1];
    };
    const applied = expect.stringMatching(/^migrations\/current\.sql is applied \(\d+ ms\)$/);
    try {
      expect(await printed(1)).toMatch(/^Watching /);
      expect(await printed(2)).toEqual(applied);
      await writeRule("end_time > > start_time");
      expect(await printed(3)).toBe(`sql/${RULE}:4: syntax error at or near ">"`);
      await writeRule("end_time < start_time + interval '24 hours'");
      expect(await printed(4)).toEqual(applied);

      // As sed -i and many editors save a file. The second time, it is another file already.
      for (const line of [5, 6]) {
        await checkout.write(`sql/${RULE}.new`, await checkout.read(`sql/${RULE}`));
        await rename(
          join(checkout.folder, `sql/${RULE}.new`),
          join(checkout.folder, `sql/${RULE}`),
        );
        expect(await printed(line)).toEqual(applied);
      }

      await mkdir(join(checkout.folder, "sql/reviews"));
      await checkout.write("sql/reviews/none.sql", "select 1;\n");
      expect(await printed(7)).toEqual(applied);
      await checkout.write("sql/reviews/none.sql", "select 2;\n");
      expect(await printed(8)).toEqual(applied);
      await rm(join(checkout.folder, "sql/reviews"), { recursive: true });
      expect(await printed(9)).toEqual(applied);

      await checkout.write("migrations/current.sql", "--!include claims/none.sql\nselect 1;\n");
      expect(await printed(10)).toMatch(/^ENOENT: no such file or directory, .*none\.sql'$/);
      await checkout.write("migrations/current.sql", "");
      expect(await printed(11)).toEqual(applied);
    } finally {
      watching.kill("SIGKILL");
    }
  });
});

describe("npm run db:reset", () => {
  it("refuses where another database is set", async () => {
    const env = { DATABASE_URL: "postgres://parking_api@localhost/parking" };
    expect(await checkout.run("commands/db-reset", [], env)).toEqual({
      code: 1,
      output: expect.stringMatching(/^DATABASE_URL or OWNER_DATABASE_URL is set/),
    });
  });

  it("refuses while a service uses the folder, which would lose its database", async () => {
    await withPostgres(
      readConfig({ DATA_DIR: join(checkout.folder, ".data") }),
      async (postgres) => {
        expect(await checkout.run("commands/db-reset")).toEqual({
          code: 1,
          output: expect.stringMatching(
            /^A service or another command uses .*\/.data: stop it first\n$/,
          ),
        });
        await withClient(postgres.url("postgres", EMBEDDED_DATABASE), (client) =>
          client.query("select from parking.building"),
        );
      },
    );
  });

  it("mends a development database of an older first migration", async () => {
    const file = join("migrations/committed", foundation[0] ?? "");
    const older = await checkout.read(file);
    await checkout.write(file, older.replace(/^--! Hash: .*/m, "--! Hash: sha1:older"));
    const { code, output } = await checkout.run("main", [], { PORT: "0" });
    expect(code).toBe(1);
    expect(output).toContain("another form of migrations/committed/000001-foundation.sql");
    await checkout.write(file, older);
    await checkout.write("migrations/current.sql", "");

    expect(await checkout.run("commands/db-reset")).toEqual({
      code: 0,
      output: "The embedded database is new. The next npm start fills the demo building.\n",
    });
    expect(await checkout.run("commands/migrate", [], { LOG_LEVEL: "warn" })).toEqual({
      code: 0,
      output: "",
    });
  });
});

describe("a start whose migration fails", () => {
  it("prints the file, its line and PostgreSQL's message", async () => {
    const file = `migrations/committed/${number(2)}-broken.sql`;
    const [last = ""] = (await committed()).filter((name) => name.startsWith(number()));
    const previous = /^--! Hash: (.*)$/m.exec(await checkout.read(`migrations/committed/${last}`));
    const headers = `--! Previous: ${previous?.[1]}\n--! Hash: sha1:x\n--! AllowInvalidHash\n\n`;
    await checkout.write(file, `${headers}select 1;\nselect colour from parking.claims;\n`);
    const { code, output } = await checkout.run("main", [], { PORT: "0", LOG_LEVEL: "silent" });
    expect(code).toBe(1);
    expect(output).toContain(`${file} failed at ${file}:6: column "colour" does not exist`);
    expect(output).not.toContain("terminating connection");
  });
});
