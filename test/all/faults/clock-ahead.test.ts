import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Program } from "../../support/program.ts";
import { served } from "../../support/served.ts";
import { until } from "../../support/waiting.ts";
import { type OwnBuilding, openOwnBuilding, type Resident } from "./own-building.ts";

/** The library of Debian's package libfaketime, which gives a program another clock. */
const library = ["x86_64", "aarch64"]
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find((file) => existsSync(file));
const describeWithClock = library === undefined ? describe.skip : describe;

const PER_MINUTE = 30;
const file = join(tmpdir(), `clock-of-postgres-${process.pid}`);

/** The clock of PostgreSQL alone; the service has that of the machine. */
function setClock(ahead: string): void {
  writeFileSync(`${file}.new`, ahead, { mode: 0o644 });
  renameSync(`${file}.new`, file);
}

describeWithClock("a clock of PostgreSQL that ran ahead and is set right (needs faketime)", () => {
  let building: OwnBuilding;
  let program: Program;
  let ann: Resident;

  const ask = (method = "GET", path = "/nowhere", body?: object) =>
    program.ask(ann, method, path, body);
  const timed = () =>
    building.postgres.rows(
      `select kind, attempts,
              run_at <= clock_timestamp() + coalesce(pause, '0') + interval '1 minute' as is_near
         from private.jobs where key = 'timed' order by kind`,
    );
  const attempts = async () => (await timed()).map((job) => Number(job.attempts));
  const kept = () =>
    building.postgres.rows(
      `select (select count(*)::integer from private.events
                where occurred_at < now() - interval '300 days') as events,
              (select count(*)::integer from parking.notifications where message = 'Old') as notifications,
              (select max(published_until) < current_date + 40 from parking.patterns)
                and (select max(start_time) < now() + interval '40 days'
                       from parking.availabilities) as is_near`,
    );

  beforeAll(async () => {
    setClock("+0");
    building = await openOwnBuilding(
      {},
      {
        LD_PRELOAD: library ?? "",
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_NO_CACHE: "1",
        DONT_FAKE_MONOTONIC: "1",
      },
    );
    program = await building.start({
      RATE_LIMIT_STORE: "postgres",
      RATE_LIMIT_PER_MINUTE: String(PER_MINUTE),
      RATE_LIMIT_PER_HOUR: "1000",
    });
    ann = await building.resident(program);
    await ask("POST", "/parking-spots", { spot_number: "C-1", building_section: "North" });
    const [spot] = await building.postgres.rows("select id from parking.spots");
    const { status } = await ask("POST", "/patterns", {
      spot_id: spot?.id,
      weekdays: ["MO", "TU", "WE", "TH", "FR", "SA", "SU"],
      starts_at: "08:00",
      ends_at: "18:00",
      first_day: new Date().toISOString().slice(0, 10),
    });
    expect(status).toBe(201);
    await building.postgres.rows(
      "update parking.building set created_at = now() - interval '2 years'",
    );
    await building.postgres.rows(
      `insert into private.new_events (type, subject_id, data, occurred_at)
       select 'claim.submitted', uuidv7(), '{}', now() - make_interval(days => 390 * i, hours => 2)
         from generate_series(0, 1) i`,
    );
    await building.postgres.rows(
      `insert into parking.notifications (recipient_id, kind, message, created_at)
       values ($1, 'profile.approved', 'Old', now() - interval '390 days')`,
      [ann.id],
    );
    await until("positions", async () => {
      const waiting = await building.postgres.rows("select from private.new_events");
      return waiting.length === 0;
    });
  });
  afterAll(async () => {
    await program?.stop();
    await building?.close();
    rmSync(file, { force: true });
  });

  it.each(["+2h", "+400d"])("leaves everything as it was: %s", async (ahead) => {
    const before = await kept();
    expect(before).toMatchObject([{ events: 1, notifications: 1, is_near: true }]);
    const counts = await attempts();
    setClock(ahead);
    if (ahead === "+400d")
      await until("an attempt at each timed job", async () =>
        (await attempts()).every((count, i) => count > (counts[i] ?? 0)),
      );
    await until("a refusal", async () => (await served(ask)).status === 429);

    setClock("+0");
    expect(await served(ask)).toMatchObject({ status: 404 });
    await until("timed jobs that are near", async () => (await timed()).every((it) => it.is_near));
    expect(await kept()).toEqual(before);
  });
});
