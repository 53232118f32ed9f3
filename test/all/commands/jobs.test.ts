import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { beforeEach, expect, it } from "@jest/globals";
import { projectFolder } from "../../../src/project-folder.ts";
import { startMailServer } from "../../mail/smtp-server.ts";
import { hours, useBuilding } from "../../support/building.ts";
import { environment } from "../../support/environment.ts";
import { startRelay } from "../../support/relay.ts";
import type { Settings } from "../../support/settings.ts";
import { until } from "../../support/waiting.ts";

const building = useBuilding();
beforeEach(() => building.rows("delete from private.jobs"));

const jobs = (...args: readonly string[]) => jobsWith({}, ...args);
const jobsWith = (settings: Settings, ...args: readonly string[]) =>
  promisify(execFile)(process.execPath, ["src/commands/jobs.ts", ...args], {
    cwd: projectFolder,
    env: {
      ...environment,
      OWNER_DATABASE_URL: building.database.url("parking_owner"),
      DATABASE_URL: building.database.url("parking_api"),
      ...settings,
    },
  });
const failed = () =>
  building.rows(`
    insert into private.jobs (kind, lane, key, failures, failure, ended_at)
    values ('mail', 'mail', 'a', 3, 'no such mailbox', now())`);

it("tells what waits", async () => {
  await building.rows("select private.add_job('mail', 'a')");
  const { stdout } = await jobs();
  expect(stdout).toMatch(/kind +│ waiting/);
  expect(stdout).toMatch(/'mail' +│ 1 /);
  expect(stdout).toMatch(/\d+ events wait for their position\.\n$/);
});

it("tells what failed and why, and tries it again", async () => {
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
  await expect(jobs("retry", "all")).rejects.toMatchObject({ code: 1 });
  // The process that tried it was killed.
  await building.rows(attempt, [hours(-1)]);
  expect((await jobs("retry", "all")).stdout).toBe("1 jobs are due again.\n");
});

it("says where there is nothing to tell, or to try again", async () => {
  expect((await jobs("failed")).stdout).toBe("No job has failed.\n");
  await expect(jobs("retry", "018f0000-0000-7000-8000-000000000001")).rejects.toMatchObject({
    code: 1,
    stderr:
      "No job that failed, and is not being tried, has the id 018f0000-0000-7000-8000-000000000001\n",
  });
});

it.each([["retry"], ["failed", "x"], ["fly"]])("shows its usage: %s %s", async (...args) => {
  await expect(jobs(...args.filter(Boolean))).rejects.toMatchObject({ code: 2 });
});

it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("does jobs until %s", async (signal) => {
  await building.rows(
    "insert into private.jobs (kind, lane, key) values ('patterns', 'patterns', 'timed')",
  );
  const running = jobs("run");
  const isDone = "select from private.jobs where attempts > 0 and taken_until is null";
  while ((await building.rows(isDone)).length === 0);
  running.child.kill(signal);
  await expect(running).resolves.toBeDefined();
});

it("gives back the mail that it has begun, also where npm sends the signal once more", async () => {
  await using started = new AsyncDisposableStack();
  const server = started.adopt(await startMailServer(), (it) => it.close());
  server.behave({ hangs: true });
  const administrator = await building.administrator();
  await building.service.pool.query("select private.use_mail()");
  const running = jobsWith(
    {
      SMTP_URL: server.url.href,
      MAIL_FROM: "parking@example.org",
      PUBLIC_URL: "https://parking.example",
    },
    "run",
  );
  started.defer(() => void running.child.kill());
  const email = "zoe@new.example";
  const invitations = [{ email, apartment_number: "2B", full_name: "Zoe" }];
  await administrator.post("/admin/invitations", { invitations }, 201);
  const mails = (condition: string) =>
    building.rows(`select failures from private.jobs where kind = 'mail' and ${condition}`);
  await until("an attempt", async () => (await mails("taken_until is not null")).length === 1);
  running.child.kill("SIGINT");
  await sleep(20); // two at once may arrive as one
  running.child.kill("SIGINT");
  await expect(running).resolves.toBeDefined();
  expect(await mails("taken_until is null and ended_at is null")).toEqual([{ failures: 0 }]);
});

it("goes on where DATABASE_URL leads to another server", async () => {
  await using started = new AsyncDisposableStack();
  const url = building.database.url("parking_api");
  const relay = started.adopt(await startRelay(Number(new URL(url).port)), (it) => it.close());
  const running = jobsWith({ DATABASE_URL: relay.url(url) }, "run");
  started.defer(async () => {
    running.child.kill("SIGTERM");
    await running;
  });

  const done = async (times: number) => {
    const isDone = "select from private.jobs where attempts >= $1 and taken_until is null";
    return (await building.rows(isDone, [times])).length === 1;
  };
  await building.rows(
    "insert into private.jobs (kind, lane, key) values ('patterns', 'patterns', 'timed')",
  );
  await until("a job", () => done(1));
  relay.cut();
  await building.rows("update private.jobs set run_at = now()");
  await until("the job again", () => done(2));
});
