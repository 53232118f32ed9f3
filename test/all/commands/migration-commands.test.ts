import { spawn } from "node:child_process";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { readConfig } from "../../../src/config/config.ts";
import { withClient } from "../../../src/database/client.ts";
import { EMBEDDED_DATABASE, withPostgres } from "../../../src/embedded/database.ts";
import { environment } from "../../support/environment.ts";
import { until } from "../../support/waiting.ts";
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
  await writeRule("end_time < start_time + interval '24 hours'");
  await commit();
});
afterAll(() => checkout.remove());

// One story in one checkout: each test goes on where the one before it ended.
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

describe("npm run migrate", () => {
  it("keeps the files of the page for other versions of the service", async () => {
    const config = readConfig({ DATA_DIR: join(checkout.folder, ".data") });
    const { rows } = await withPostgres(config, (postgres) =>
      withClient(postgres.url("parking_owner", EMBEDDED_DATABASE), (owner) =>
        owner.query("select count(*) > 20 as are_kept from private.page_files"),
      ),
    );
    expect(rows).toEqual([{ are_kept: true }]);
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
