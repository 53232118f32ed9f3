import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { PoolClient } from "pg";
import { withClient } from "../../src/database/client.ts";
import { type Building, openBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { ask, send } from "./ask.ts";

let building: Building;
let busy: Person;
let other: Person;
beforeAll(async () => {
  building = await openBuilding();
  busy = await building.resident();
  other = await building.resident();
  await ask(building, other, "{ ownProfile { id } }"); // the first request makes the schema
  // The operations of one person wait for a lock that the test holds.
  await building.rows(`
    create or replace function private.require_approved() returns void language plpgsql as $$
      begin
        if private.caller_id() = '${busy.id}' then perform pg_advisory_xact_lock_shared(42); end if;
      end $$`);
});
afterAll(() => building.close());

const list = "{ spots { totalCount } }";

describe("connections", () => {
  it("of GraphQL are not taken by REST", async () => {
    const { pool } = building.service;
    const all: PoolClient[] = [];
    for (let i = 0; i < pool.options.max; i++) all.push(await pool.connect());

    expect(await ask(building, other, list)).toEqual({ spots: { totalCount: 0 } });
    for (const client of all) client.release();
  });

  it("of REST are not taken by GraphQL, nor are all of GraphQL's by one caller", async () => {
    await withClient(building.database.url("parking_owner"), async (client) => {
      await client.query("select pg_advisory_lock(42)");
      const answered: number[] = [];
      const flood = Array.from({ length: 40 }, async () => {
        const { status, headers } = await send(building, busy, list);
        answered.push(status);
        return { status, retryAfter: headers.get("Retry-After") };
      });
      const refusedAtOnce = flood.length - 22; // two run and twenty wait

      expect(await ask(building, other, list)).toEqual({ spots: { totalCount: 0 } });
      await other.get("/profile", 200);
      while (answered.length < refusedAtOnce) await other.get("/profile", 200);
      expect(new Set(answered)).toEqual(new Set([503]));

      await client.query("select pg_advisory_unlock(42)");
      const answers = await Promise.all(flood);
      for (const { status, retryAfter } of answers) {
        expect({ status, mayRetry: retryAfter !== null }).toEqual(
          status === 200 ? { status, mayRetry: false } : { status: 503, mayRetry: true },
        );
      }
    });
  });

  it("are not kept for operations whose clients have left", async () => {
    await withClient(building.database.url("parking_owner"), async (client) => {
      await client.query("select pg_advisory_lock(42)");
      const left = new AbortController();
      const flood = Array.from({ length: 22 }, () => sendUntil(left.signal));
      const isRefused = async () => (await soonAnswered()) === 503;
      while (!(await isRefused()));

      left.abort();
      expect(await Promise.all(flood)).toEqual(Array(22).fill("left"));
      while (await isRefused()); // it waits: there is room in the queue again

      await client.query("select pg_advisory_unlock(42)");
    });
  });

  const sendUntil = (signal: AbortSignal): Promise<string> =>
    fetch(`${building.service.origin}/api/graphql`, {
      method: "POST",
      headers: { Authorization: `Bearer ${busy.token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ query: list }),
      signal,
    }).then(
      ({ status }) => String(status),
      () => "left",
    );

  /** The status of one more operation; undefined where it waits while others are answered. */
  async function soonAnswered(): Promise<number | undefined> {
    const answer = send(building, busy, list).then(({ status }) => status);
    const others = async () => {
      for (let i = 0; i < 10; i++) await other.get("/profile", 200);
      return undefined;
    };
    return Promise.race([answer, others()]);
  }
});
