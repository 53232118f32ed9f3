import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { withClient } from "../../../src/database/client.ts";
import type { EmbeddedPostgres } from "../../../src/embedded/cluster.ts";
import { createDatabase } from "../../../src/embedded/database.ts";
import { startThrowAwayPostgres } from "../../../src/embedded/throw-away.ts";
import { createLogger } from "../../../src/log/logger.ts";
import { runMigrations } from "../../../src/migrations/run.ts";
import { type Checkout, makeCheckout } from "./checkout.ts";

let checkout: Checkout;
let postgres: EmbeddedPostgres;
beforeAll(async () => {
  checkout = await makeCheckout();
  postgres = await startThrowAwayPostgres();
  await deploy("elm_street");
});
afterAll(async () => {
  await postgres.stop();
  await checkout.remove();
});

/** Makes the database of a building as an operator does. */
const deploy = async (building: string): Promise<void> => {
  await createDatabase(postgres, building, building);
  await runMigrations(postgres.url(`${building}_owner`, building), createLogger("silent"));
};
const check = (role: string, database = "elm_street") =>
  checkout.run("commands/check-drift", ["--database"], {
    OWNER_DATABASE_URL: postgres.url(role, database),
  });
const asOwner = (sql: string) =>
  withClient(postgres.url("elm_street_owner", "elm_street"), (client) => client.query(sql));

describe("npm run check:drift -- --database", () => {
  it("finds no difference in a database as it was deployed, beside another building's", async () => {
    await deploy("oak_street");
    expect(await check("elm_street_owner")).toEqual({
      code: 0,
      output: "The database is what migrations/committed and sql/roles.sql make.\n",
    });
  });

  it("shows what was changed there by hand", async () => {
    await asOwner(
      "drop index parking.claims_claimer_id_start_time_idx; create table parking.mine ()",
    );
    const { code, output } = await check("elm_street_owner");
    expect(code).toBe(1);
    expect(output.split("\n")).toEqual([
      "The database is not what is committed (-: only committed, +: only in the database):",
      expect.stringMatching(/^- {3}CREATE INDEX claims_claimer_id_start_time_idx/),
      "+ create table parking.mine",
      "",
    ]);
  });

  it("is green beside what monitoring adds, and shows what is put into a schema of the service", async () => {
    await asOwner("drop table if exists parking.mine");
    await deploy("birch_street");
    const url = postgres.url("postgres", "birch_street");
    const monitoring = `
      create extension pg_stat_statements;
      create schema monitoring;
      create extension pgstattuple schema monitoring;
      create table monitoring.history (id bigint primary key, at timestamptz default now());
      create type monitoring.state as enum ('up', 'down');
      create view monitoring.bloat as select * from monitoring.pgstattuple('parking.claims');
      create function monitoring.note() returns trigger language plpgsql as 'begin return new; end';
      create trigger note before insert on monitoring.history for each row execute function monitoring.note();
      comment on trigger note on monitoring.history is 'Notes';
      comment on table monitoring.history is 'What was';
      comment on schema monitoring is 'Of the monitoring';
      grant usage on schema monitoring to pg_monitor;
      grant select on all tables in schema monitoring to pg_monitor;
      alter default privileges in schema monitoring grant select on tables to pg_monitor`;
    await withClient(url, (client) => client.query(monitoring));
    expect(await check("birch_street_owner", "birch_street")).toEqual({
      code: 0,
      output: "The database is what migrations/committed and sql/roles.sql make.\n",
    });

    await withClient(url, (client) => client.query("create extension pgrowlocks schema api"));
    const { output } = await check("birch_street_owner", "birch_street");
    expect(output).toContain("+ create extension pgrowlocks schema api;");
  });

  it("says in one line which migrations have not run, or ran in another form", async () => {
    await deploy("ash_street");
    const last = (await checkout.list("migrations/committed")).toSorted().slice(-2);
    const numbers = last.map((name) => name.slice(0, 6));
    const forget = (from = "") =>
      withClient(postgres.url("ash_street_owner", "ash_street"), (client) =>
        client.query("delete from graphile_migrate.migrations where filename >= $1", [
          `${from}.sql`,
        ]),
      );
    await forget(numbers[1]);
    expect(await check("ash_street_owner", "ash_street")).toEqual({
      code: 1,
      output: `${numbers[1]} has not run: npm run migrate\n`,
    });

    const file = "migrations/committed/000001-foundation.sql";
    const text = await checkout.read(file);
    await checkout.write(file, text.replace("create schema", "create  schema"));
    const edited = {
      code: 1,
      output: expect.stringMatching(/^This database ran another form of .*000001-foundation.*\n$/),
    };
    expect(await check("ash_street_owner", "ash_street")).toEqual(edited);
    const OWNER_DATABASE_URL = postgres.url("ash_street_owner", "ash_street");
    expect(
      await checkout.run("commands/migrate", [], { OWNER_DATABASE_URL, LOG_LEVEL: "warn" }),
    ).toEqual(edited);
    await checkout.write(file, text);

    await forget(numbers[0]);
    expect(await check("ash_street_owner", "ash_street")).toEqual({
      code: 1,
      output: `${numbers[0]} to ${numbers[1]} have not run: npm run migrate\n`,
    });
  });

  it("refuses to compare for a role that is nobody's owner", async () => {
    const { code, output } = await check("postgres");
    expect([code, output]).toEqual([
      1,
      "OWNER_DATABASE_URL: logs in as postgres, not as parking_owner or <building>_owner\n",
    ]);
  });

  it("writes nothing: it also works where the owner may only read", async () => {
    const [role, url] = ["elm_street_owner", postgres.url("postgres", "elm_street")];
    await withClient(url, (client) =>
      client.query(`alter role ${role} set default_transaction_read_only = on`),
    );
    const { output } = await check(role);
    expect(output).toContain(`+ alter role ${role} set default_transaction_read_only=on`);
  });
});
