import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { Client } from "pg";
import { useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { until } from "../support/waiting.ts";

const building = useBuilding({
  rateLimits: {
    store: "postgres",
    perMinute: 100,
    perHour: 100,
    profilePerMinute: 100,
    profilePerHour: 100,
  },
});
let person: Person;
let other: Client;
beforeEach(async () => {
  person = await building.newcomer();
  // Another charge, in a transaction that goes on while the person's request waits for it.
  other = new Client({ connectionString: building.database.url("postgres") });
  await other.connect();
  // This one fails of two that wait for one another: the service would try again.
  await other.query("set deadlock_timeout = '10ms'");
  await other.query("begin");
});
afterEach(() => other.end());

const charge = (caller: string, ...windows: readonly string[]) =>
  other.query("select private.charge_rate_limits($1, 1, $2, '{100, 100}', $3)", [
    caller,
    windows,
    windows.map((window) => (window.endsWith("hour") ? 3_600 : 60)),
  ]);

/** Sends a request of the person, and returns when it waits for a row. */
async function requestThatWaits(): Promise<{ readonly answer: ReturnType<Person["get"]> }> {
  const answer = person.get("/profile");
  await until("a request to wait", async () => {
    const { rowCount } = await other.query(
      "select from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))",
    );
    return rowCount === 1;
  });
  return { answer };
}

it("a request that waits for a window has locked none that comes later", async () => {
  await person.get("/profile"); // opens them all

  await charge(person.id, "minute");
  const { answer } = await requestThatWaits();
  await charge(person.id, "profile-hour", "hour");
  await other.query("commit");

  expect((await answer).status).toBe(404);
  expect(await building.rows("select key, points from private.rate_limits order by key")).toEqual([
    { key: `hour:${person.id}`, points: 3 },
    { key: `minute:${person.id}`, points: 3 },
    { key: `profile-hour:${person.id}`, points: 3 },
    { key: `profile-minute:${person.id}`, points: 2 },
  ]);
});

it("a request that waits for a window has locked no ended one of others", async () => {
  await charge(person.id, "hour");
  await building.rows(
    `insert into private.rate_limits (key, points, ends_at)
     values ('minute:neighbour', 1, now() - interval '1 minute')`,
  );
  const { answer } = await requestThatWaits();
  await charge("neighbour", "minute");
  await other.query("commit");

  expect((await answer).status).toBe(404);
});
