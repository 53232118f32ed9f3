import { beforeAll, describe, expect, it } from "@jest/globals";
import type { PoolClient } from "pg";
import { withClient } from "../../src/database/client.ts";
import { useBuilding } from "../support/building.ts";
import { ask, send } from "./ask.ts";

const building = useBuilding();
const busy = building.shared("resident");
const other = building.shared("resident");
beforeAll(async () => {
  await ask(building, other, "{ ownProfile { id } }"); // the first request makes the schema
});

const list = "{ spots { totalCount } }";
const lockedList = "{ notifications { totalCount } }";

/** Holds what GraphQL needs to read notifications, so that these operations wait. */
const whileLocked = (act: (unlock: () => Promise<unknown>) => Promise<void>): Promise<void> =>
  withClient(building.database.url("parking_owner"), async (client) => {
    await client.query("begin");
    await client.query("lock table parking.notifications in access exclusive mode");
    await act(() => client.query("rollback"));
  });

const HALF_OF_PATIENCE_MS = 2_500;

describe("connections", () => {
  it("of GraphQL are not taken by REST", async () => {
    const { pool } = building.service;
    const all: PoolClient[] = [];
    for (let i = 0; i < pool.options.max; i++) all.push(await pool.connect());

    expect(await ask(building, other, list)).toEqual({ spots: { totalCount: 0 } });
    for (const client of all) client.release();
  });

  it("of REST are not taken by GraphQL, nor are all of GraphQL's by one caller", async () => {
    await whileLocked(async (unlock) => {
      const answered: number[] = [];
      const flood = Array.from({ length: 40 }, async () => {
        const { status, headers } = await send(building, busy, lockedList);
        answered.push(status);
        return { status, retryAfter: headers.get("Retry-After") };
      });
      const refusedAtOnce = flood.length - 22; // two run and twenty wait

      expect(await ask(building, other, list)).toEqual({ spots: { totalCount: 0 } });
      await other.get("/profile", 200);
      while (answered.length < refusedAtOnce) await other.get("/profile", 200);
      expect(new Set(answered.slice(0, refusedAtOnce))).toEqual(new Set([503]));

      await unlock();
      const answers = await Promise.all(flood);
      for (const { status, retryAfter } of answers) {
        expect({ status, mayRetry: retryAfter !== null }).toEqual(
          status === 200 ? { status, mayRetry: false } : { status: 503, mayRetry: true },
        );
      }
    });
  });

  it("are not kept for operations whose clients have left", async () => {
    await whileLocked(async (unlock) => {
      const left = new AbortController();
      const flood = Array.from({ length: 22 }, () => sendUntil(left.signal));
      const isRefused = async () => (await soonAnswered()) === 503;
      while (!(await isRefused()));

      left.abort();
      const leftAt = performance.now();
      expect(await Promise.all(flood)).toContain("left");
      while (await isRefused()); // it waits: there is room in the queue again
      expect(performance.now() - leftAt).toBeLessThan(HALF_OF_PATIENCE_MS);

      await unlock();
    });
  });

  const sendUntil = (signal: AbortSignal): Promise<string> =>
    fetch(`${building.service.origin}/api/graphql`, {
      method: "POST",
      headers: { Authorization: `Bearer ${busy.token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ query: lockedList }),
      signal,
    }).then(
      ({ status }) => String(status),
      () => "left",
    );

  /** The status of one more operation; undefined where it waits while others are answered. */
  async function soonAnswered(): Promise<number | undefined> {
    const answer = send(building, busy, lockedList).then(({ status }) => status);
    const others = async () => {
      for (let i = 0; i < 10; i++) await other.get("/profile", 200);
      return undefined;
    };
    return Promise.race([answer, others()]);
  }
});
