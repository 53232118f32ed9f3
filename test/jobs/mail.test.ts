import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { smtpUrl } from "../../src/config/formats.ts";
import { jobKinds, startKnownJobs } from "../../src/jobs/kinds.ts";
import { mailJob } from "../../src/jobs/mail.ts";
import type { Job, JobRunner } from "../../src/jobs/runner.ts";
import { createLogger } from "../../src/log/logger.ts";
import type { Mailer } from "../../src/mail/mailer.ts";
import { smtpMailer } from "../../src/mail/smtp.ts";
import { type MailServer, startMailServer } from "../mail/smtp-server.ts";
import { claimOf, type Spot, spotOf, useBuilding, windowOf } from "../support/building.ts";
import { threeClaims } from "../support/claim-series.ts";
import type { Person } from "../support/person.ts";

const building = useBuilding();
const logger = createLogger("silent");
let server: MailServer;
let owner: Person;
let claimer: Person;
let spot: Spot;
const runners: JobRunner[] = [];
beforeEach(async () => {
  await building.rows("delete from private.jobs");
  server = await startMailServer();
  owner = await building.resident();
  claimer = await building.resident();
  spot = await spotOf(owner);
});
afterEach(async () => {
  await stopAll();
  await server.close();
});

const stopAll = () => Promise.all(runners.splice(0).map((runner) => runner.stop()));

/** The parts of a process that sends mails. */
function parts() {
  const from = { name: "Parking", address: "parking@example.org" };
  const settings = {
    server: smtpUrl.read(server.url.href),
    from,
    publicUrl: "https://parking.example",
  };
  const mailer = smtpMailer(settings, "/api");
  return { pool: building.service.pool, logger, mailer, isDevelopment: false };
}
/** Starts a process that sends mails. */
async function start(): Promise<JobRunner> {
  const runner = startKnownJobs(parts());
  runners.push(runner);
  const on = "select from private.jobs where kind = 'reminders'";
  while ((await building.rows(on)).length === 0);
  return runner;
}

const claimed = async (from = 1, to = 2) => claimOf(claimer, await windowOf(owner, spot, from, to));
const asService = (sql: string) => building.service.pool.query(sql);
/** Makes mails due that would wait for more of their kind, or for their next attempt. */
const hurry = () =>
  building.rows("update private.jobs set run_at = now() where kind = 'mail' and ended_at is null");
/** Waits until the mails are so. */
async function until(condition: string): Promise<void> {
  for (;;) {
    const [row] = await building.rows<{ is: boolean }>(
      `select coalesce(bool_and(${condition}), false) as is from private.jobs where kind = 'mail'`,
    );
    if (row?.is) return;
  }
}
/** A claim, and its mail that is due. */
async function mailMade(): Promise<void> {
  await asService("select private.use_mail()");
  await claimed();
  await asService("select private.order_events()");
  await hurry();
}

describe("a mail", () => {
  it("tells the owner of a claim, with a link to the spot", async () => {
    await mailMade();
    await start();
    const [mail] = await server.until(1);
    expect(mail).toMatchObject({ to: [owner.email], from: "parking@example.org" });
    expect(mail?.text).toContain(`Your spot ${spot.spot_number} was claimed`);
    expect(mail?.text).toContain(`Open: https://parking.example/spots?spot=${spot.id}`);
    const unsubscribe = mail?.headers.find((it) => it.startsWith("List-Unsubscribe:"));
    expect(unsubscribe).toMatch(
      /^List-Unsubscribe: <https:\/\/parking\.example\/api\/unsubscribe\?sig=[\w-]{43}&language=en>$/,
    );
    await until("ended_at is not null and failure is null");
  });

  it("tells the owner of a series of claims, and of its end, once", async () => {
    await start();
    const { series_id } = await threeClaims(owner, spot, claimer);
    await asService("select private.order_events()");
    await hurry();
    const [made] = await server.until(1);
    expect(made?.text.match(/was claimed/g)).toHaveLength(3);
    await claimer.put(`/claims/series/${series_id}`, { status: "cancelled" }, 200);
    await asService("select private.order_events()");
    await hurry();
    const [, ended] = await server.until(2);
    expect(ended?.text.match(/was cancelled/g)).toHaveLength(3);
    await until("ended_at is not null");
    expect(server.received).toHaveLength(2);
  });
});

describe("a mail server that", () => {
  it("cannot take a mail now is given it again, with the same Message-ID", async () => {
    await mailMade();
    server.behave({ toMail: 451 });
    await start();
    await until("failure like 'the mail server %:% answered 451 to DATA' and ended_at is null");
    server.behave({ losesAnswer: true });
    await hurry();
    await server.until(1);
    await until("failure like 'the mail server % cannot be used%' and failures = 2");
    server.behave({});
    await hurry();
    await server.until(2);
    await until("ended_at is not null and failure is null");
    const ids = server.received.map(({ headers }) =>
      headers.filter((it) => it.startsWith("Message-ID")),
    );
    expect(ids[0]).toEqual(ids[1]);
  });

  it("does not want it for good is not asked again", async () => {
    await mailMade();
    server.behave({ toRecipient: 550 });
    await start();
    await until("ended_at is not null and attempts = 1");
    const [job] = await building.rows("select failure from private.jobs where kind = 'mail'");
    expect(job).toEqual({ failure: expect.stringMatching(/ answered 550 to RCPT TO$/) });
  });

  it("is gone loses no mail", async () => {
    await mailMade();
    const { url } = server;
    await server.close();
    await start();
    await until("failure like 'the mail server % cannot be used%' and ended_at is null");
    server = await startMailServer(Number(url.port));
    await hurry();
    expect(await server.until(1)).toHaveLength(1);
  });
});

it("an invitation is mailed once, in the language of the building, and has nothing to end", async () => {
  const administrator = await building.administrator();
  await building.rows("update parking.building set language = 'de'");
  await start();
  const email = `${crypto.randomUUID()}@new.example`;
  const invitations = [{ email, apartment_number: "2B", full_name: "Zoe\u00e9 <b>" }];
  await administrator.post("/admin/invitations", { invitations }, 201);
  const [mail] = await server.until(1);
  expect(mail?.to).toEqual([email]);
  expect(mail?.text).toContain("Sie können die Stellplätze von The building gemeinsam");
  expect(mail?.headers.join("\n")).not.toMatch(/Unsubscribe|Zoe/);
  await until("ended_at is not null");
  await building.rows("update parking.building set language = 'en'");
});

it("a process without a mail server drops no mail of those that have one", async () => {
  await mailMade();
  await building.rows("select private.add_job('pruning', 'timed')");
  const startWithoutMailServer = () =>
    startKnownJobs({
      pool: building.service.pool,
      logger,
      mailer: undefined,
      isDevelopment: false,
    });
  runners.push(startWithoutMailServer());
  const done =
    "select from private.jobs where kind = 'pruning' and attempts = 1 and taken_until is null";
  while ((await building.rows(done)).length === 0);
  await stopAll();
  await claimed(4, 5);
  await start();
  await asService("select private.order_events()");
  await hurry();
  await until("ended_at is not null");
  expect(server.received).not.toEqual([]);
});

it("an attempt gives the mail server up at its own end", async () => {
  await mailMade();
  const [row] = await building.rows<Job>(
    "select id::text, kind, key, event_id, data from private.jobs where kind = 'mail'",
  );
  const given: AbortSignal[] = [];
  const mailer: Mailer = {
    ...parts().mailer,
    async send(_mail, signal) {
      given.push(signal);
      return {};
    },
  };
  const { signal } = new AbortController();
  const job = { ...row, failures: 0, attempts: 1, overdue_seconds: 0 } as Job;
  await mailJob(building.service.pool, mailer).attempt(job, signal);
  expect(given).toHaveLength(1);
  expect(given[0]).toBe(signal);
});

it("a process that sends mails drops none, though it prunes first after days of standstill", async () => {
  await mailMade();
  await building.rows("update private.jobs set run_at = run_at - interval '4 days'");
  const job = { id: "", kind: "pruning", key: "timed", event_id: null, data: {}, failures: 0 };
  const times = { attempts: 1, overdue_seconds: 0 };
  const { pruning } = jobKinds(parts());
  await pruning?.attempt({ ...job, ...times }, new AbortController().signal);
  expect(await building.rows("select from private.jobs where kind = 'mail'")).toHaveLength(1);
  await start();
  expect(await server.until(1)).toHaveLength(1);
});
