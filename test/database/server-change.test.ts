import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { Client, type Pool, type PoolClient } from "pg";
import { createPool } from "../../src/database/pool.ts";
import { callAs, type Kind } from "../../src/database/transaction.ts";
import { createLogger } from "../../src/log/logger.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { startRelay } from "../support/relay.ts";
import { until } from "../support/waiting.ts";

let database: TestDatabase;
let superuser: Client;
let pool: Pool;
beforeAll(async () => {
  database = await cloneDatabase();
  superuser = new Client(database.url("postgres"));
  await superuser.connect();
});
const open = (url: string): Pool =>
  createPool(url, createLogger("silent"), {
    max: 3,
    connectionTimeoutMillis: 20_000,
    idleTimeoutMillis: 0,
  });
beforeEach(() => {
  pool = open(database.url("parking_api"));
});
afterEach(() => pool.end());
afterAll(async () => {
  await superuser.end();
  await database.drop();
});

/** Where new connections lead: to a server that writes, or to one that only reads. */
const leadTo = (standing: "primary" | "standby") =>
  superuser.query(
    `do $$ begin
       execute format('alter database %I set default_transaction_read_only = ${standing === "standby"}', current_database());
     end $$`,
  );

const PID = "select pg_backend_pid()";
const pidOf = async (client: Pick<Pool, "query">): Promise<number> =>
  (await client.query(PID)).rows[0].pg_backend_pid;

const call = async (kind: Kind, text: string): Promise<string | null | undefined> => {
  const step = { name: text.slice(-60), text, values: [], isShort: true };
  const [rows] = await callAs(pool, "{}", { kind, steps: [step], row: "1" });
  return rows?.[0]?.[0];
};
const WRITE = "select private.caller_id() from pg_catalog.nextval('private.written')";

describe("after a write that a server refused because it only reads", () => {
  let old: readonly number[];
  let held: PoolClient;
  beforeEach(async () => {
    await superuser.query(
      `create sequence if not exists private.written;
       grant usage on sequence private.written to parking_api`,
    );
    await leadTo("standby");
    const clients = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
    old = await Promise.all(clients.map(pidOf));
    [held] = clients;
    for (const client of clients.slice(1)) client.release();
    await leadTo("primary");
  });

  it("no connection to it is used again, be it idle or in use at that moment", async () => {
    await expect(call("write", WRITE)).rejects.toMatchObject({ code: "25006" });
    held.release();
    for (let i = 0; i < 5; i++) await call("write", WRITE);
    await until("the end of the old ones", async () => {
      const { rows } = await superuser.query(
        "select pid from pg_stat_activity where pid = any($1)",
        [old],
      );
      return rows.length === 0;
    });
  });

  it("no read that comes later is sent there, although others leave no moment free", async () => {
    held.release();
    const seen: number[] = [];
    let isRefused = false;
    let isOver = false;
    const readers = Array.from({ length: 16 }, async () => {
      while (!isOver) {
        const isLater = isRefused;
        const pid = Number(await call("read", PID));
        if (isLater) seen.push(pid);
      }
    });
    await expect(call("write", WRITE)).rejects.toMatchObject({ code: "25006" });
    isRefused = true;
    await until("later reads", () => seen.length > 500);
    isOver = true;
    await Promise.all(readers);
    expect(seen.filter((pid) => old.includes(pid))).toEqual([]);
  });
});

it("a server that stops as it becomes ready does not end the process", async () => {
  const relay = await startRelay(Number(new URL(database.url("parking_api")).port));
  const relayed = open(relay.url(database.url("parking_api")));
  relay.stopWhenReady();
  await expect(relayed.query("select")).rejects.toThrow();
  await relay.mend();
  await relayed.query("select");
  await relayed.end();
  await relay.close();
});
