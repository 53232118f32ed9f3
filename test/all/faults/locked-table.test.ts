import { afterEach, describe, expect, it } from "@jest/globals";
import { useArena } from "../../support/arena.ts";
import { openBuilding, spotOf } from "../../support/building.ts";
import { opened } from "../../support/opened.ts";
import { type Answer, type Failure, requestJson } from "../../support/person.ts";
import { type Service, startService } from "../../support/service.ts";
import { withTransactionOf } from "../../support/sql.ts";
import { expectUnavailable } from "../../support/unavailable.ts";
import { until } from "../../support/waiting.ts";

const CONNECTIONS = 10;

const building = useArena(1);
const person = building.shared("resident");
const spot = opened(() => spotOf(person));
let service: Service;
let token: string;
afterEach(() => service.close());

/** A service that waits for locks for this time. */
async function start(lockTimeoutMs: number): Promise<void> {
  const options = encodeURIComponent(`-c lock_timeout=${lockTimeoutMs}`);
  const url = `${building.database.url("parking_api")}?options=${options}`;
  service = await startService(url, { connections: CONNECTIONS });
  token = await service.issuer.token({ sub: person.id, email: person.email });
}

const ask = (
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer<Failure>> =>
  requestJson(service.origin, method, `/api${path}`, {
    token,
    headers,
    ...(body !== undefined && { body }),
  });
const list = () => ask("GET", "/parking-spots");
const many = <T>(make: () => T): T[] => Array.from({ length: 30 }, make);

const added = { spot_number: "X-1", building_section: "North" };
const moved = { building_section: "East" };

/** What needs the locked table, in seven ways. */
const operations: readonly (() => Promise<Answer<Failure>>)[] = [
  list,
  () => ask("GET", `/parking-spots/${spot.id}`),
  () => ask("GET", "/dashboard"),
  () => ask("POST", "/parking-spots", added),
  () => ask("POST", "/parking-spots", added, { "Idempotency-Key": "while locked" }),
  () => ask("PUT", `/parking-spots/${spot.id}`, moved),
  () => ask("PUT", `/parking-spots/${spot.id}`, moved, { "If-Match": "*" }),
];
/** Those of spots, and the dashboard, which is of no table. */
const BREAKERS = 2;

/** What needs other tables. */
async function expectOthersServed(): Promise<void> {
  for (const path of ["/profile", "/claims", "/notifications"]) {
    expect([path, (await ask("GET", path)).status]).toEqual([path, 200]);
  }
  expect((await fetch(`${service.origin}/livez`)).status).toBe(200);
}

const whileLocked = <T>(use: () => Promise<T>): Promise<T> =>
  withTransactionOf(building.superuser, async (client) => {
    await client.query("lock table parking.spots in access exclusive mode");
    return use();
  });

const countWaiting = async (): Promise<number> => {
  const { rowCount } = await building.superuser.query(
    `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rowCount ?? 0;
};

async function whilePending(pending: readonly Promise<unknown>[], use: () => Promise<void>) {
  let isOver = false;
  void Promise.allSettled(pending).then(() => {
    isOver = true;
  });
  while (!isOver) await use();
}

describe("a table that somebody has locked against everything", () => {
  it("is tried by one request at a time, once each operation has failed", async () => {
    await start(2_000);
    await whileLocked(async () => {
      for (const it of await Promise.all(operations.map((ask) => ask()))) expectUnavailable(it);
      let most = 0;
      const answers = operations.flatMap(many);
      const watching = whilePending(answers, async () => {
        most = Math.max(most, await countWaiting());
      });
      await expectOthersServed();
      for (const answer of await Promise.all(answers)) expectUnavailable(answer);
      await watching;
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThanOrEqual(BREAKERS);
    });
  });

  it("is no longer tried once it refuses a write by a rule", async () => {
    await start(2_000);
    await whileLocked(async () => expectUnavailable(await list()));
    const { spot_number, building_section } = spot;
    const taken = await ask("POST", "/parking-spots", { spot_number, building_section });
    expect(taken.status).toBe(409);

    const answers = await Promise.all(many(list));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it("is not taken for open where an account is refused before it is looked at", async () => {
    const { id, email } = await building.unapproved();
    await start(2_000);
    const options = { token: await service.issuer.token({ sub: id, email }) };
    await whileLocked(async () => {
      expectUnavailable(await list());
      const refused = await requestJson(service.origin, "GET", "/api/parking-spots", options);
      expect(refused.status).toBe(403);
      let most = 0;
      const answers = many(list);
      await whilePending(answers, async () => {
        most = Math.max(most, await countWaiting());
      });
      for (const answer of await Promise.all(answers)) expectUnavailable(answer);
      expect(most).toBe(1);
    });
  });

  it("is not taken for open where a key is refused before it is looked at", async () => {
    await start(2_000);
    const post = (spot_number: string) =>
      requestJson(service.origin, "POST", "/api/parking-spots", {
        token,
        body: { spot_number, building_section: "North" },
        headers: { "Idempotency-Key": "used before" },
      });
    expect((await post("K-1")).status).toBe(201);
    await whileLocked(async () => {
      expectUnavailable(await list());
      expect((await post("K-2")).status).toBe(422);
      let most = 0;
      const answers = many(list);
      await whilePending(answers, async () => {
        most = Math.max(most, await countWaiting());
      });
      for (const answer of await Promise.all(answers)) expectUnavailable(answer);
      expect(most).toBe(1);
    });
  });

  it("is served of another database meanwhile", async () => {
    const other = await openBuilding();
    try {
      const neighbour = await other.resident();
      await start(2_000);
      await whileLocked(async () => {
        expectUnavailable(await list());
        const trial = list();
        await until("it is tried", async () => (await countWaiting()) > 0);
        await neighbour.get("/parking-spots", 200);
        expectUnavailable(await trial);
      });
    } finally {
      await other.close();
    }
  });

  it("is served to calendar apps and to others, whichever of the two tables is locked", async () => {
    const searchOfFeed = async () => {
      const { body } = await person.post<{ feed: { url: string } }>("/calendar-feed", {}, 201);
      return new URL(body.feed.url).search;
    };
    const search = await searchOfFeed();
    await start(2_000);
    const feed = () => requestJson(service.origin, "GET", `/api/calendar-feed.ics${search}`);
    for (const [table, served] of [
      ["calendar_feeds", "/claims"],
      ["claims", "/calendar-feed"],
    ] as const) {
      await withTransactionOf(building.superuser, async (client) => {
        await client.query(`lock table parking.${table} in access exclusive mode`);
        expect((await feed()).status).toBe(503);
        const trial = feed();
        await until("it is tried", async () => (await countWaiting()) > 0);
        expect([served, (await ask("GET", served)).status]).toEqual([served, 200]);
        expect((await trial).status).toBe(503);
      });
      expect((await feed()).status).toBe(200);
    }
  });

  it("has its connections back when it is let go", async () => {
    await start(2_000);
    await whileLocked(async () => expectUnavailable(await list()));
    expect((await Promise.all(many(list))).map(({ status }) => status)).toContain(200);
    await whileLocked(async () => {
      const answers = Promise.allSettled(many(list));
      await until("more than one that waits", async () => (await countWaiting()) > 1);
      await answers;
    });
  });
});
