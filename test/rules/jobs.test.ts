import { beforeEach, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { writePastRules } from "../support/rows.ts";
import { withTransactionOf } from "../support/sql.ts";

const building = useBuilding();
beforeEach(() => building.rows("delete from private.jobs"));

interface Taken {
  readonly id: string;
  readonly key: string;
  readonly attempts: number;
  readonly failures: number;
}

const asService = async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
  (await building.service.pool.query<Row>(sql, [...values])).rows;
const add = (key: string, lane = "mail") =>
  building.rows("select private.add_job('mail', $1, lane => $2)", [key, lane]);
const take = (lane = "mail", most = 10, seconds = 60) =>
  asService<Taken>("select * from private.take_jobs($1, $2, make_interval(secs => $3))", [
    lane,
    most,
    seconds,
  ]);
const lanes = async () =>
  (await asService<{ lanes: string[] }>("select private.due_lanes() as lanes"))[0]?.lanes;
const end = ({ id, attempts }: Taken, failure: string | null = null, again: number | null = null) =>
  asService("select private.end_job($1, $2, $3, clock_timestamp() + make_interval(secs => $4))", [
    id,
    attempts,
    failure,
    again,
  ]);

it("adds a job of a kind for a key once, also when it has ended", async () => {
  await add("a");
  await add("a");
  const [job, ...others] = await take();
  expect(others).toEqual([]);
  if (job) await end(job);
  await add("a");
  expect(await take()).toEqual([]);
});

it("is taken by one of those who ask at once", async () => {
  for (const key of ["a", "b", "c"]) await add(key);
  const taken = await Promise.all(Array.from({ length: 6 }, () => take("mail", 1)));
  expect(
    taken
      .flat()
      .map(({ key }) => key)
      .toSorted(),
  ).toEqual(["a", "b", "c"]);
});

it("is due again when its time is over, and then the first who took it ends nothing", async () => {
  await add("a");
  const [first] = await take("mail", 1, 0);
  const [second] = await take("mail", 1, 60);
  expect(second).toMatchObject({ key: "a", attempts: 2 });
  if (!first || !second) throw new Error("nothing was taken");

  await end(first);
  expect(await building.rows("select from private.jobs where ended_at is null")).toHaveLength(1);
  await end(second);
  expect(await building.rows("select from private.jobs where ended_at is null")).toHaveLength(0);
});

it("counts failures in a row, and says the last", async () => {
  await add("a");
  for (const failures of [0, 1]) {
    const [job] = await take();
    expect(job).toMatchObject({ failures });
    if (job) await end(job, "refused", -1); // its time is rounded
  }
  const [job] = await take();
  if (job) await end(job, null, -1);
  expect(await take()).toMatchObject([{ failures: 0, attempts: 4 }]);
  expect(await building.rows("select failure from private.jobs")).toEqual([{ failure: null }]);
});

it("lists the lanes in which something is due, and takes what has been due longest", async () => {
  await add("a", "mail");
  await add("b", "mail:1");
  await add("c", "mail:1");
  await add("d", "mail:2");
  await building.rows(
    "update private.jobs set run_at = now() + interval '1 hour', pause = interval '1 hour' where key = 'd'",
  );
  await building.rows("update private.jobs set run_at = now() - interval '1 hour' where key = 'c'");
  expect(await lanes()).toEqual(["mail", "mail:1"]);
  expect(await take("mail:1", 1)).toMatchObject([{ key: "c" }]);
  await building.rows("update private.jobs set ended_at = now()");
  expect(await lanes()).toEqual([]);
});

describe("where the clock ran ahead and is set right", () => {
  const setBack = (interval: string) =>
    building.rows("update private.jobs set run_at = run_at + $1::interval", [interval]);

  it.each(["2 hours", "400 days"])("what was to be done later is due: %s", async (ahead) => {
    await add("a");
    const [job] = await take("mail", 1, 3_600);
    if (job) await end(job, null, 3_600);
    expect(await lanes()).toEqual([]);
    await setBack(ahead);
    expect(await lanes()).toEqual(["mail"]);
    expect(await asService("select waiting, oldest_seconds from private.job_counts()")).toEqual([
      { waiting: 1, oldest_seconds: 0 },
    ]);
    expect(await take()).toMatchObject([{ key: "a" }]);
  });

  it.each(["taken", "added"])("so is what was %s then", async (what) => {
    await add("a");
    if (what === "taken") await take("mail", 1, 60);
    if (what === "taken") expect(await lanes()).toEqual([]);
    await setBack("400 days");
    expect(await take()).toMatchObject([{ key: "a" }]);
  });

  it("a step of seconds gives no job to a second process", async () => {
    await add("a");
    await take("mail", 1, 60);
    await setBack("30 seconds");
    expect(await take()).toEqual([]);
  });
});

it("says for how long a job has been due that is taken", async () => {
  await add("a");
  await building.rows("update private.jobs set run_at = now() - interval '3 days 1 minute'");
  const [job] = await asService<{ overdue_seconds: number }>(
    "select * from private.take_jobs('mail', 1, interval '1 minute')",
  );
  expect(Math.floor((job?.overdue_seconds ?? 0) / 86_400)).toBe(3);
});

it("counts without reading what has ended", async () => {
  await building.rows(`
    insert into private.jobs (kind, lane, key, ended_at, failure)
    select k, k, i::text, now(), case when i <= 3 then 'refused' end
      from unnest(array['mail', 'webhook']) k, generate_series(1, 10000) i`);
  await building.rows("analyze private.jobs");
  await add("open");
  await withTransactionOf(building.service.pool, async (client) => {
    const rowsRead = async () => {
      const { rows } = await client.query<{ rows: number }>(
        `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as rows
           from pg_stat_xact_all_tables where relname = 'jobs'`,
      );
      return rows[0]?.rows ?? 0;
    };
    const before = await rowsRead();
    const { rows } = await client.query("select kind, waiting, given_up from private.job_counts()");
    expect(rows).toEqual([
      { kind: "mail", waiting: 1, given_up: 3 },
      { kind: "webhook", waiting: 0, given_up: 3 },
    ]);
    expect((await rowsRead()) - before).toBeLessThan(100);
  });
});

describe("private.prune", () => {
  const event = (days: number) =>
    building.rows(
      `insert into private.new_events (type, subject_id, data, occurred_at)
       values ('claim.submitted', uuidv7(), '{}', now() - make_interval(days => $1))`,
      [days],
    );
  const prune = async () => {
    await asService("select private.order_events()");
    return (await asService<{ pruned: number | null }>("select private.prune() as pruned"))[0];
  };
  beforeEach(async () => {
    await building.rows("alter table private.events disable trigger user");
    await building.rows("delete from private.events");
    await building.rows("alter table private.events enable trigger user");
    await building.rows("update parking.building set created_at = now() - interval '2 years'");
  });

  it("deletes nothing where now is far beyond the newest event, whoever writes at that moment", async () => {
    await event(500);
    await event(8);
    await event(0);
    expect(await prune()).toEqual({ pruned: null });
    const old = "select from private.events where type = 'claim.submitted'";
    expect(await building.rows(old)).toHaveLength(3);
  });

  it("deletes wishes that were over as long ago as events are kept, and no others", async () => {
    await event(6);
    const { id } = await building.resident();
    await writePastRules(
      building,
      `insert into parking.wishes (wisher_id, start_time, end_time, availability_id)
       select $1, now() - d * interval '1 day', now() - d * interval '1 day' + interval '1 hour', $1
         from unnest(array[401, 402, 399]) d`,
      [id],
    );
    expect(await prune()).toEqual({ pruned: 2 });
    expect(await building.rows("select from parking.wishes")).toHaveLength(1);
  });

  it("goes on once something happened before", async () => {
    await event(500);
    await event(6);
    expect(await prune()).toEqual({ pruned: 1 });
  });
});

it("counts what waits, fails and was given up, for the metrics", async () => {
  for (const key of ["a", "b", "c"]) await add(key);
  const [a, b] = await take("mail", 2);
  if (a) await end(a, "refused", 60);
  if (b) await end(b, "gone");
  expect(await asService("select * from private.job_counts()")).toEqual([
    { kind: "mail", waiting: 1, failing: 1, given_up: 1, oldest_seconds: expect.any(Number) },
  ]);
});

it("counts events that wait for their position as work that is due", async () => {
  await building.rows(
    "insert into private.new_events (type, subject_id, data, occurred_at) values ('spot.updated', uuidv7(), '{}', now() - interval '5 minutes')",
  );
  const [count] = await asService<{ oldest_seconds: number }>(
    "select * from private.job_counts() where kind = 'events'",
  );
  expect(count).toMatchObject({ waiting: 1, failing: 0, given_up: 0 });
  expect(count?.oldest_seconds).toBeGreaterThanOrEqual(300);
  await asService("select private.order_events()");
  expect(await asService("select from private.job_counts() where kind = 'events'")).toEqual([]);
});
