import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { pino } from "pino";
import { withClient } from "../../../src/database/client.ts";
import { noticeRoleSettings } from "../../../src/database/notices.ts";
import { createPool } from "../../../src/database/pool.ts";
import type { EmbeddedPostgres } from "../../../src/embedded/cluster.ts";
import { createDatabase } from "../../../src/embedded/database.ts";
import { startThrowAwayPostgres } from "../../../src/embedded/throw-away.ts";
import { type Building, openBuilding } from "../../support/building.ts";
import { databaseOn, type TestDatabase } from "../../support/database.ts";
import type { Person } from "../../support/person.ts";
import { type Program, startProgram } from "../../support/program.ts";
import { until } from "../../support/waiting.ts";

let postgres: EmbeddedPostgres;
let database: TestDatabase;
let building: Building;
let resident: Person;
let program: Program;
beforeAll(async () => {
  postgres = await startThrowAwayPostgres();
  database = await databaseOn(postgres);
  building = await openBuilding({}, database);
  resident = await building.resident();
  program = await startProgram(building, { LOG_LEVEL: "warn" });
});
afterAll(async () => {
  await program.stop();
  await building.close();
  await postgres.stop();
});

const settings = async () =>
  building.rows(
    `select s.setdatabase = 0 as everywhere, unnest(s.setconfig) as setting
       from pg_db_role_setting s
      where s.setrole = 'parking_api'::regrole
      order by 2`,
  );

/** The connections of the service end, so that it makes others. */
const reconnect = () =>
  withClient(database.url("postgres"), (client) =>
    client.query(
      "select pg_terminate_backend(pid, 10000) from pg_stat_activity where usename = 'parking_api'",
    ),
  );

const loggerInto = (log: string[]) =>
  pino({ level: "warn", messageKey: "message" }, { write: (line: string) => log.push(line) });

const lines = () =>
  program.log.filter((it) => it.includes("has other settings than sql/roles.sql gives it"));

const ask = async (): Promise<number> =>
  (await program.ask(resident, "GET", "/parking-spots").catch(() => ({ status: 0 }))).status;

describe("the settings of the role of the service", () => {
  it("are what the service expects, as sql/roles.sql makes them", async () => {
    await until("an answer", async () => (await ask()) === 200);
    expect(lines()).toEqual([]);
  });

  it.each([
    ["set default_transaction_read_only = on", "has default_transaction_read_only=on"],
    ["set lock_timeout = 1", "lacks lock_timeout=1200ms; has lock_timeout=1"],
    ["reset statement_timeout", "lacks statement_timeout=10s"],
    ["in database parking set row_security = off", "has row_security=off"],
  ])("are noticed in one line, and mended by sql/roles.sql: %s", async (change, reason) => {
    const before = await settings();
    const known = lines().length;
    await withClient(database.url("parking_api"), (client) =>
      client.query(`alter role parking_api ${change}`),
    );
    await reconnect();
    await until("a line in the log", async () => {
      await ask();
      return lines().length > known;
    });
    await Promise.all(Array.from({ length: 20 }, ask)); // more connections, and no other line
    expect(
      lines()
        .slice(known)
        .map((line) => JSON.parse(line).reason),
    ).toEqual([reason]);

    await createDatabase(postgres, database.name);
    expect(await settings()).toEqual(before);
    await reconnect();
    await until("an answer", async () => (await ask()) === 200);
    expect(lines()).toHaveLength(known + 1);
  });

  it("are not suspected where the server ends the connection that asks for them", async () => {
    await building.rows(`
      create schema slow;
      grant usage on schema slow to parking_api;
      create function slow.concat_ws(text, text, text) returns text
        language plpgsql as $$ begin perform pg_sleep(600); return ''; end $$;
      grant execute on all functions in schema slow to parking_api`);
    const asSuperuser = (sql: string) =>
      withClient(database.url("postgres"), (client) => client.query(sql));
    await asSuperuser(
      "alter role parking_api in database parking set search_path = slow, pg_catalog",
    );
    const log: string[] = [];
    const pool = createPool(database.url("parking_api"), loggerInto(log));
    noticeRoleSettings(pool, loggerInto(log));
    const client = await pool.connect();
    await until("the question", async () => {
      const { rowCount } = await asSuperuser(
        `select pg_terminate_backend(pid, 10000)
           from pg_stat_activity
          where usename = 'parking_api' and wait_event = 'PgSleep'`,
      );
      return rowCount === 1;
    });
    await expect(client.query("select 1")).rejects.toThrow();
    client.release(true);
    await pool.end();
    await asSuperuser("alter role parking_api in database parking reset search_path");
    expect(log.filter((line) => line.includes("settings"))).toEqual([]);
  });
});
