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
      expect(answered).toEqual(Array(refusedAtOnce).fill(503));

      await client.query("select pg_advisory_unlock(42)");
      const answers = await Promise.all(flood);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(22);
      expect(answers.filter(({ retryAfter }) => retryAfter !== null)).toHaveLength(refusedAtOnce);
    });
  });
});
