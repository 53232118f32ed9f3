import { afterEach, beforeEach, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import { type Job, type JobKind, type JobRunner, startJobs } from "../../src/jobs/runner.ts";
import { createLogger } from "../../src/log/logger.ts";
import { spotOf, useBuilding, windowOf } from "../support/building.ts";
import { offersTo, wishOf } from "../support/wishes.ts";

const building = useBuilding();
const logger = createLogger("silent");
const runners: JobRunner[] = [];
beforeEach(() => building.rows("delete from private.jobs"));
afterEach(() => Promise.all(runners.splice(0).map((runner) => runner.stop())));

const start = (kind: Partial<JobKind> & Pick<JobKind, "attempt">): JobRunner => {
  const kinds = { work: { seconds: 30, atOnce: 2, ...kind } };
  const runner = startJobs({ pool: building.service.pool, logger, kinds });
  runners.push(runner);
  return runner;
};
const add = (key: string, lane = "work") =>
  building.rows("select private.add_job('work', $1, lane => $2)", [key, lane]);

type Query = (text: string, ...values: unknown[]) => Promise<unknown>;

/** The pool of the service, whose queries something else happens to. */
function poolWith(
  query: (usual: Query, text: string, values: readonly unknown[]) => unknown,
): Pool {
  const { pool } = building.service;
  const usual: Query = (text, ...values) => pool.query(text, ...(values as [unknown[]]));
  const value = async (text: string, ...values: unknown[]) => query(usual, text, values);
  return Object.create(pool, { query: { value } });
}

/** Waits until the rows are so. */
async function until(condition: string): Promise<void> {
  for (;;) {
    const [row] = await building.rows<{ is: boolean }>(
      `select coalesce(bool_and(${condition}), false) as is from private.jobs`,
    );
    if (row?.is) return;
  }
}

it("does each job once, whoever of two takes it", async () => {
  const done: string[] = [];
  const attempt = async ({ key }: Job) => {
    done.push(key);
    return {};
  };
  const keys = Array.from({ length: 20 }, (_, at) => `${at}`);
  await Promise.all(keys.map((key) => add(key)));
  start({ attempt });
  start({ attempt });
  await until("ended_at is not null");
  expect(done.toSorted()).toEqual(keys.toSorted());
});

it("tries again later what failed, and says why it failed", async () => {
  await add("a");
  start({ attempt: () => Promise.reject(new Error("no answer")) });
  await until("failure = 'no answer' and failures = 1 and ended_at is null and run_at > now()");
});

it("gives up what failed twenty times, but never what the clock makes due", async () => {
  await add("a");
  await add("timed");
  await building.rows("update private.jobs set failures = 20");
  start({ attempt: () => Promise.reject(new Error("no answer")) });
  await until("failures = 21");
  const open = await building.rows("select key from private.jobs where ended_at is null");
  expect(open).toEqual([{ key: "timed" }]);
});

it("gives up where the attempt says so", async () => {
  await add("a");
  start({ attempt: async () => ({ failure: "gone" }) });
  await until("failure = 'gone' and ended_at is not null");
});

it("does what is due by the clock again, when the attempt says", async () => {
  await add("a");
  start({ attempt: async () => ({ again: 3_600 }) });
  await until("attempts = 1 and failure is null and run_at > now() + interval '59 minutes'");
});

it("is not held up by events that get no position", async () => {
  await building.rows(
    "insert into private.new_events (type, subject_id, data) values ('claim.submitted', uuidv7(), '{\"start_time\": \"soon\"}')",
  );
  try {
    await add("a");
    start({ attempt: async () => ({}) });
    await until("ended_at is not null");
  } finally {
    await building.rows(
      "alter table private.new_events disable trigger user; delete from private.new_events; alter table private.new_events enable trigger user",
    );
  }
});

it("is not held up in one lane by another", async () => {
  const stuck = Promise.withResolvers<object>();
  for (const key of ["a", "b", "c"]) await add(key, "work:slow");
  start({ atOnce: 1, attempt: ({ key }) => (key === "x" ? Promise.resolve({}) : stuck.promise) });
  await until("attempts > 0 or key > 'a'");
  await add("x", "work:quick");
  await until("key <> 'x' or ended_at is not null");
  const taken = await building.rows(
    "select from private.jobs where lane = 'work:slow' and attempts > 0",
  );
  expect(taken).toHaveLength(1);
  stuck.resolve({});
});

it("leaves jobs of a kind that it does not know", async () => {
  await building.rows("select private.add_job('other', 'a')");
  await add("a");
  start({ attempt: async () => ({}) });
  await until("kind = 'other' or ended_at is not null");
  expect(await building.rows("select attempts from private.jobs where kind = 'other'")).toEqual([
    { attempts: 0 },
  ]);
});

it("ends what takes too long when it stops, and gives it back", async () => {
  await add("a");
  const attempted = Promise.withResolvers<void>();
  const runner = start({
    attempt: (_job, signal) =>
      new Promise((_, reject) => {
        attempted.resolve();
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
  });
  await attempted.promise;
  await runner.stop();
  const [job] = await building.rows(
    "select failures, ended_at, run_at <= clock_timestamp() as is_due from private.jobs",
  );
  expect(job).toEqual({ failures: 0, ended_at: null, is_due: true });
});

it("says what the database has to know before its first look, again until it succeeds", async () => {
  await add("a");
  let tried = 0;
  const begin = async () => {
    tried += 1;
    const taken = await building.rows("select from private.jobs where attempts > 0");
    expect(taken).toEqual([]);
    if (tried < 3) throw new Error("the database takes no writes");
  };
  const kinds = { work: { seconds: 30, atOnce: 1, attempt: async () => ({}) } };
  runners.push(startJobs({ pool: building.service.pool, logger, kinds, announce: begin }));
  await until("ended_at is not null");
  expect(tried).toBe(3);
});

it("says it again after a look that failed: the database may be another one", async () => {
  let looks = 0;
  const failing = poolWith((query, text, values) => {
    const isLook = text.includes("due_lanes");
    if (isLook) looks += 1;
    if (isLook && looks === 2) throw new Error("the database is gone");
    return query(text, ...values);
  });
  const begunAt: number[] = [];
  const begin = async () => begunAt.push(looks);
  const runner = startJobs({ pool: failing, logger, kinds: {}, announce: begin });
  runners.push(runner);
  while (looks < 4) await building.rows("select");
  await runner.stop();
  expect(begunAt).toEqual([0, 2]);
});

/** A pool that loses so many of the attempts' ends. */
function losing(count: number, error: Error) {
  let lost = 0;
  const pool = poolWith((query, text, values) => {
    if (!text.includes("end_job") || lost >= count) return query(text, ...values);
    lost += 1;
    throw error;
  });
  return { pool, lost: () => lost };
}
const away = new Error("Connection terminated unexpectedly");

it("says again how an attempt ended, where the database was away", async () => {
  await add("a");
  const { pool } = losing(2, away);
  const kinds = { work: { seconds: 5, atOnce: 1, attempt: async () => ({}) } };
  runners.push(startJobs({ pool, logger, kinds }));
  await until("ended_at is not null");
  expect(await building.rows("select attempts from private.jobs")).toEqual([{ attempts: 1 }]);
});

it("says it no more once another process may have the job, or at its stop", async () => {
  await add("a");
  const { pool, lost } = losing(Number.POSITIVE_INFINITY, away);
  const kinds = { work: { seconds: 1, atOnce: 1, attempt: async () => ({}) } };
  const runner = startJobs({ pool, logger, kinds });
  runners.push(runner);
  await until("attempts = 2");
  await runner.stop();
  const before = lost();
  await building.rows("select pg_sleep(0.5)");
  expect(lost()).toBe(before);
});

it("says once what the database does not understand", async () => {
  await add("a");
  const { pool, lost } = losing(Number.POSITIVE_INFINITY, new Error("a bug"));
  const kinds = { work: { seconds: 30, atOnce: 1, attempt: async () => ({}) } };
  const runner = startJobs({ pool, logger, kinds });
  runners.push(runner);
  await until("attempts = 1");
  await building.rows("select pg_sleep(0.5)");
  await runner.stop();
  expect(lost()).toBe(1);
});

it("gives all events of a burst their positions before it looks for jobs", async () => {
  await building.rows(
    "insert into private.new_events (type, subject_id, data) select 'spot.updated', uuidv7(), '{}' from generate_series(1, 3500)",
  );
  const waiting: number[] = [];
  const pool = poolWith(async (query, text, values) => {
    if (text.includes("due_lanes"))
      waiting.push((await building.rows("select from private.new_events")).length);
    return query(text, ...values);
  });
  runners.push(startJobs({ pool, logger, kinds: {} }));
  while (waiting.length === 0) await building.rows("select");
  expect(waiting[0]).toBe(0);
});

it("waits at its stop for a job that was taken while another of its lane ended", async () => {
  const first = Promise.withResolvers<object>();
  const attempted = Promise.withResolvers<void>();
  let isOver = false;
  let takes = 0;
  const slow = poolWith(async (query, text, values) => {
    const result = await query(text, ...values);
    if (text.includes("take_jobs")) takes += 1;
    if (!text.includes("take_jobs") || takes !== 2) return result;
    first.resolve({});
    await building.rows("select pg_sleep(0.1)"); // until its end is noticed
    return result;
  });
  const attempt = async ({ key }: Job, signal: AbortSignal) => {
    if (key === "a") {
      await add("b");
      return first.promise;
    }
    attempted.resolve();
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    isOver = true;
    return {};
  };
  await add("a");
  const runner = startJobs({
    pool: slow,
    logger,
    kinds: { work: { seconds: 30, atOnce: 2, attempt } },
  });
  runners.push(runner);
  await attempted.promise;
  await runner.stop();
  expect(isOver).toBe(true);
});

it("tells those who wait what became free, until all are told", async () => {
  const [owner, first, second] = [
    await building.resident(),
    await building.resident(),
    await building.resident(),
  ];
  const runner = start({ attempt: async () => ({}) });
  await wishOf(first);
  await wishOf(second, 6, 7);
  await windowOf(owner, await spotOf(owner));
  await windowOf(owner, await spotOf(owner), 6, 7);
  for (const person of [first, second]) while ((await offersTo(person)).length === 0);
  await runner.stop();
});
