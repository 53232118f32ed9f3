import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, it } from "@jest/globals";
import { startMailServer } from "../../mail/smtp-server.ts";
import { hours, useBuilding } from "../../support/building.ts";
import { startRelay } from "../../support/relay.ts";
import type { Settings } from "../../support/settings.ts";
import { until } from "../../support/waiting.ts";
import { runCommand, start } from "./run.ts";

const building = useBuilding();
beforeEach(() => building.rows("delete from private.jobs"));

const settings = (changes: Settings = {}) => ({
  OWNER_DATABASE_URL: building.database.url("parking_owner"),
  DATABASE_URL: building.database.url("parking_api"),
  ...changes,
});
const jobs = (...args: readonly string[]) => runCommand("jobs", args, settings());
/** Does jobs until it gets a signal. */
const running = (changes?: Settings) => start("commands/jobs", ["run"], settings(changes));
const addTimed = () =>
  building.rows(
    "insert into private.jobs (kind, lane, key) values ('patterns', 'patterns', 'timed')",
  );
const isDone = async (times = 1) => {
  const sql = "select from private.jobs where attempts >= $1 and taken_until is null";
  return (await building.rows(sql, [times])).length === 1;
};

const failed = () =>
  building.rows(`
    insert into private.jobs (kind, lane, key, failures, failure, ended_at)
    values ('mail', 'mail', 'a', 3, 'no such mailbox', now())`);

it("tells what waits, what failed and why, and tries it again", async () => {
  await building.rows("select private.add_job('mail', 'a')");
  const { stdout: waiting } = await jobs();
  expect(waiting).toMatch(/kind +│ waiting/);
  expect(waiting).toMatch(/'mail' +│ 1 /);
  expect(waiting).toMatch(/\d+ events wait for their position\.\n$/);
  expect((await jobs("failed")).stdout).toBe("No job has failed.\n");

  await building.rows("delete from private.jobs");
  await failed();
  const { stdout } = await jobs("failed");
  expect(JSON.parse(stdout)).toMatchObject({ lane: "mail", key: "a", failure: "no such mailbox" });
  expect((await jobs("retry", "all")).stdout).toBe("1 jobs are due again.\n");
  expect(await building.rows("select failures, ended_at from private.jobs")).toEqual([
    { failures: 0, ended_at: null },
  ]);
});

it("tries nothing again that is being tried: a mail would be sent twice", async () => {
  await failed();
  const attempt = "update private.jobs set ended_at = null, run_at = $1, taken_until = $1";
  await building.rows(attempt, [hours(1)]);
  expect(await jobs("retry", "all")).toMatchObject({ code: 1 });
  // The process that tried it was killed.
  await building.rows(attempt, [hours(-1)]);
  expect((await jobs("retry", "all")).stdout).toBe("1 jobs are due again.\n");
});

it("refuses what it does not know", async () => {
  const id = "018f0000-0000-7000-8000-000000000001";
  expect(await jobs("retry", id)).toMatchObject({
    code: 1,
    stderr: `No job that failed, and is not being tried, has the id ${id}\n`,
  });
  for (const args of [["retry"], ["failed", "x"], ["fly"]])
    expect(await jobs(...args)).toMatchObject({ code: 2 });
});

it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("does jobs until %s", async (signal) => {
  await addTimed();
  const { process, ended } = running();
  await until("a job", () => isDone());
  process.kill(signal);
  expect(await ended).toMatchObject({ code: 0 });
});

it("gives back a mail in progress at SIGINT, also when npm sends the signal twice", async () => {
  await using started = new AsyncDisposableStack();
  const server = started.adopt(await startMailServer(), (it) => it.close());
  server.behave({ hangs: true });
  const administrator = await building.administrator();
  await building.service.pool.query("select private.use_mail()");
  const { process, ended } = running({
    SMTP_URL: server.url.href,
    MAIL_FROM: "parking@example.org",
    PUBLIC_URL: "https://parking.example",
  });
  started.defer(() => void process.kill());
  const invitations = [{ email: "zoe@new.example", apartment_number: "2B", full_name: "Zoe" }];
  await administrator.post("/admin/invitations", { invitations }, 201);
  const mails = (condition: string) =>
    building.rows(`select failures from private.jobs where kind = 'mail' and ${condition}`);
  await until("an attempt", async () => (await mails("taken_until is not null")).length === 1);
  process.kill("SIGINT");
  await sleep(20); // two at once may arrive as one
  process.kill("SIGINT");
  expect(await ended).toMatchObject({ code: 0 });
  expect(await mails("taken_until is null and ended_at is null")).toEqual([{ failures: 0 }]);
});

it("goes on where DATABASE_URL leads to another server", async () => {
  await using started = new AsyncDisposableStack();
  const url = building.database.url("parking_api");
  const relay = started.adopt(await startRelay(Number(new URL(url).port)), (it) => it.close());
  const { process, ended } = running({ DATABASE_URL: relay.url(url) });
  started.defer(async () => {
    process.kill("SIGTERM");
    await ended;
  });
  await addTimed();
  await until("a job", () => isDone());
  relay.cut();
  await building.rows("update private.jobs set run_at = now()");
  await until("the job again", () => isDone(2));
});
