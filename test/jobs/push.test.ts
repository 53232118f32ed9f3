import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { startKnownJobs } from "../../src/jobs/kinds.ts";
import { pushJob } from "../../src/jobs/push.ts";
import { type JobRunner, startJobs } from "../../src/jobs/runner.ts";
import { createLogger } from "../../src/log/logger.ts";
import type { Sending } from "../../src/webhooks/send.ts";
import { claimOf, type Spot, spotOf, useBuilding, windowOf } from "../support/building.ts";
import { opened } from "../support/opened.ts";
import type { Person } from "../support/person.ts";
import {
  type Browser,
  makeBrowser,
  type Pushed,
  type PushService,
  startPushService,
  vapidOf,
} from "../support/push-service.ts";
import { suspend } from "../support/rows.ts";
import { until } from "../support/waiting.ts";
import { tell, wishOf } from "../support/wishes.ts";

const building = useBuilding();
const service = opened<PushService>(
  () => startPushService(),
  (it) => it.close(),
);
const logger = createLogger("silent");
const contact = "mailto:parking@example.org";

let owner: Person;
let claimer: Person;
let spot: Spot;
const runners: JobRunner[] = [];
beforeEach(async () => {
  await building.rows("delete from private.jobs");
  await building.rows("delete from parking.push_subscriptions");
  owner = await building.resident();
  claimer = await building.resident();
  spot = await spotOf(owner);
});
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
  await building.rows("update parking.building set offer_minutes = null");
});

const asService = (sql: string) => building.service.pool.query(sql);
/** Starts a process that sends pushes. */
function start(sending: Sending = {}, seconds = 20): JobRunner {
  const { pool } = building.service;
  const push = { ...pushJob(pool, contact, { allowsLoopback: true, ...sending }), seconds };
  const runner = startJobs({ pool, logger, kinds: { push } });
  runners.push(runner);
  return runner;
}

let devices = 0;
/** A device of the person, whose push service answers so. The API takes no address of this machine. */
async function deviceOf(person: Person, answer = "201", browser: Browser = makeBrowser()) {
  devices += 1;
  const path = `/${answer}/${devices}`;
  await person.sql(
    "insert into parking.push_subscriptions (endpoint, p256dh, auth) values ($1, $2, $3)",
    [service.origin + path, browser.keys.p256dh, browser.keys.auth],
  );
  return { ...browser, path };
}
type Device = Awaited<ReturnType<typeof deviceOf>>;

/** What the push service has of a device, once it is so many. */
async function pushedTo({ path }: Device, count = 1): Promise<readonly Pushed[]> {
  const found = () => service.pushed.filter((it) => it.path === path);
  await until(`${count} pushes`, () => found().length >= count);
  return found();
}
const messageIn = (device: Device, { body }: Pushed) => JSON.parse(device.decrypt(body));
const messageTo = async (device: Device) => {
  const [pushed] = await pushedTo(device);
  return pushed && messageIn(device, pushed);
};

/** Makes pushes due that would wait for more of their kind, or for their next attempt. */
const hurry = () =>
  building.rows("update private.jobs set run_at = now() where kind = 'push' and ended_at is null");
const hasKey = async () =>
  (await building.rows<{ public_key: string }>("select public_key from private.push_key"))[0]
    ?.public_key ?? "";
/** A process has said that it sends pushes. */
async function sendsPushes(): Promise<void> {
  const { pool } = building.service;
  const runner = startKnownJobs({
    pool,
    logger,
    mailer: undefined,
    pushContact: contact,
    isDevelopment: true,
  });
  const on = "select from private.jobs where kind = 'pushreminders'";
  await until("pushes are on", async () => (await building.rows(on)).length === 1);
  await runner.stop();
}
/** A claim, and the pushes of its owner that are due. */
async function pushMade(): Promise<void> {
  await sendsPushes();
  await claimOf(claimer, await windowOf(owner, spot, 1, 2));
  await asService("select private.order_events()");
  await hurry();
}
const jobs = (columns: string) =>
  building.rows(`select ${columns} from private.jobs where kind = 'push' order by id`);
/** Waits until the pushes are so. */
const untilJobs = (condition: string) =>
  until(condition, async () => {
    const [row] = await building.rows<{ is: boolean }>(
      `select coalesce(bool_and(${condition}), false) as is from private.jobs where kind = 'push'`,
    );
    return row?.is === true;
  });
const devicesLeft = async () =>
  (await building.rows("select from parking.push_subscriptions")).length;

it("the push service of these tests reads the example of RFC 8291", () => {
  const from = (text: string) => Buffer.from(text, "base64url");
  const { decrypt, keys } = makeBrowser(
    from("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"),
    from("BTBZMqHH6r4Tts7J_aSIgg"),
  );
  expect(keys.p256dh).toBe(
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  );
  const body =
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
  expect(decrypt(from(body))).toBe("When I grow up, I want to be a watermelon");
});

describe("a push", () => {
  it("tells the owner of a claim on each device, which alone can read it", async () => {
    await owner.put("/profile/preferences", { language: "de" }, 200);
    const [phone, laptop] = [await deviceOf(owner), await deviceOf(owner)];
    await pushMade();
    start();
    for (const device of [phone, laptop])
      expect(await messageTo(device)).toEqual({
        title: "Ein Stellplatz wurde reserviert",
        body: expect.stringContaining(`Ihr Stellplatz ${spot.spot_number} wurde reserviert: `),
        lang: "de",
        tag: expect.stringMatching(/^[\da-f-]{36}$/),
        path: `/spots?spot=${spot.id}`,
      });
    const [pushed] = await pushedTo(phone);
    expect(() => pushed && laptop.decrypt(pushed.body)).toThrow();
    await untilJobs("ended_at is not null and failure is null");
  });

  it("says who sends it, and how long it is of use", async () => {
    const device = await deviceOf(owner);
    await pushMade();
    start();
    const [pushed] = await pushedTo(device);
    const { authorization, ...headers } = pushed?.headers ?? {};
    expect(headers).toMatchObject({
      "content-encoding": "aes128gcm",
      "content-type": "application/octet-stream",
      urgency: "normal",
      topic: expect.stringMatching(/^[\da-f]{32}$/),
    });
    expect(Number(headers.ttl)).toBeGreaterThan(86_000);
    expect(Number(headers.ttl)).toBeLessThanOrEqual(86_400);
    const { alg, aud, sub, exp } = vapidOf(authorization, await hasKey());
    expect({ alg, aud, sub }).toEqual({ alg: "ES256", aud: service.origin, sub: contact });
    const hours = (exp - Date.now() / 1_000) / 3_600;
    expect(hours).toBeGreaterThan(0);
    expect(hours).toBeLessThanOrEqual(24);
  });

  it("says neither a name nor a plate, a reason or a code: a lock screen shows it to all", async () => {
    await claimer.put("/profile", { full_name: "Zoe Quux", vehicle: "B-AD 777" }, 200);
    await owner.put(`/parking-spots/${spot.id}/access`, { access_notes: "Code 4711" }, 200);
    const administrator = await building.administrator();
    const all = [await deviceOf(owner), await deviceOf(claimer), await deviceOf(administrator)];
    await sendsPushes();
    const claim = await claimOf(claimer, await windowOf(owner, spot, 1, 2));
    await owner.post("/spot-reports", { spot_id: spot.id, vehicle: "X-YZ 999" }, 201);
    const reason = "Zoe Quux never pays";
    await administrator.put(`/admin/claims/${claim.id}`, { status: "cancelled", reason }, 200);
    await asService("select private.order_events()");
    await hurry();
    start();
    await untilJobs("ended_at is not null");
    const said = all.flatMap((device) =>
      service.pushed
        .filter(({ path }) => path === device.path)
        .map((pushed) => device.decrypt(pushed.body)),
    );
    expect(said.length).toBeGreaterThanOrEqual(3);
    for (const text of said) {
      expect(text).toContain(spot.spot_number);
      expect(text).not.toMatch(/Quux|AD 777|YZ 999|Code 4711|pays/);
    }
  });

  it("is of use for as long, whatever the clock of the process says", async () => {
    const device = await deviceOf(owner);
    await pushMade();
    const clock = jest.spyOn(Date, "now").mockReturnValue(Date.now() + 2 * 86_400_000);
    try {
      start();
      const [pushed] = await pushedTo(device);
      expect(Number(pushed?.headers.ttl)).toBeGreaterThan(86_000);
    } finally {
      clock.mockRestore();
    }
  });

  it("offers the turn of who waits with two buttons, and only until it is over", async () => {
    await building.rows("update parking.building set offer_minutes = 30");
    const device = await deviceOf(claimer);
    await sendsPushes();
    const wish = await wishOf(claimer);
    const window = await windowOf(owner, spot);
    await tell(building);
    await asService("select private.order_events()");
    await hurry();
    start();
    const [pushed] = await pushedTo(device);
    expect(pushed?.headers.urgency).toBe("high");
    expect(Number(pushed?.headers.ttl)).toBeGreaterThan(1_500);
    expect(Number(pushed?.headers.ttl)).toBeLessThanOrEqual(1_800);
    const message = pushed && messageIn(device, pushed);
    expect(message).toMatchObject({
      path: `/claims?wish=${wish.id}`,
      claim: { claim: "Claim", later: "Not now" },
    });
    expect(message.body).toContain("Only you can claim it");
    const { searchParams } = new URL(message.claim.path, "https://parking.example");
    expect(Object.fromEntries(searchParams)).toEqual({
      window: window.id,
      from: wish.start_time,
      until: wish.end_time,
    });
  });

  it("is not sent once its turn is over", async () => {
    await building.rows("update parking.building set offer_minutes = 30");
    const device = await deviceOf(claimer);
    await sendsPushes();
    await wishOf(claimer);
    await windowOf(owner, spot);
    await tell(building);
    await asService("select private.order_events()");
    await building.rows(
      `update parking.notifications
          set data = data || jsonb_build_object('offered_until', private.iso8601(now()))`,
    );
    await hurry();
    start();
    await untilJobs("ended_at is not null and failure is null");
    expect(service.pushed.filter(({ path }) => path === device.path)).toEqual([]);
  });

  it.each([
    ["is suspended", (who: Person) => suspend(building, who)],
    ["is erased", ({ id }: Person) => building.rows("select private.erase_person($1)", [id])],
    [
      "wants none of its kind",
      (who: Person) => who.put("/profile/preferences", { push: ["wish.fits"] }, 200),
    ],
    [
      "ended it on this device",
      ({ id }: Person) =>
        building.rows("delete from parking.push_subscriptions where person_id = $1", [id]),
    ],
  ])("is not sent to somebody who %s meanwhile", async (_what, change) => {
    const device = await deviceOf(owner);
    await pushMade();
    await change(owner);
    start();
    await untilJobs("ended_at is not null and failure is null");
    expect(service.pushed.filter(({ path }) => path === device.path)).toEqual([]);
  });
});

describe("a push service that", () => {
  it.each(["404", "410"])("answers %s has no such device any more", async (status) => {
    await deviceOf(owner, status);
    const working = await deviceOf(owner);
    await pushMade();
    start();
    await untilJobs("ended_at is not null and failure is null");
    expect(await devicesLeft()).toBe(1);
    expect(await pushedTo(working)).toHaveLength(1);
  });

  it.each([
    ["fails", "500", "answered 500"],
    ["redirects", "redirect", "answered 307; redirects are not followed"],
    ["finds it too large", "413", "answered 413"],
    ["knows another key", "403", "answered 403"],
  ])("%s keeps the device", async (_what, answer, failure) => {
    await deviceOf(owner, answer);
    await pushMade();
    start();
    await untilJobs(`failure = '${failure}'`);
    expect(await jobs("ended_at is not null as is_over")).toEqual([{ is_over: answer !== "500" }]);
    expect(await devicesLeft()).toBe(1);
    expect(service.pushed.map(({ path }) => path)).not.toContain("/201/redirected");
  });

  it("fails gets the same push again, which replaces the first", async () => {
    const device = await deviceOf(owner, "500");
    await pushMade();
    start();
    await untilJobs("failures = 1 and taken_until is null");
    await hurry();
    const [first, second] = await pushedTo(device, 2);
    if (!first || !second) throw new Error("no two pushes");
    expect(second.headers.topic).toBe(first.headers.topic);
    expect(second.body).not.toEqual(first.body); // another key and another salt
    expect(messageIn(device, second)).toEqual(messageIn(device, first));
  });

  it("has too much to do is asked again when it says", async () => {
    await deviceOf(owner, "429");
    await pushMade();
    start();
    await untilJobs("failures = 1 and taken_until is null");
    const [job] = await building.rows<{ wait: number }>(
      "select extract(epoch from pause)::float8 as wait from private.jobs where kind = 'push'",
    );
    expect(job?.wait).toBeGreaterThanOrEqual(990);
  });

  it("has too much to do until a turn is over is not asked again", async () => {
    await building.rows("update parking.building set offer_minutes = 10");
    await deviceOf(claimer, "429");
    await sendsPushes();
    await wishOf(claimer);
    await windowOf(owner, spot);
    await tell(building);
    await asService("select private.order_events()");
    await hurry();
    start();
    await untilJobs("failure = 'answered 429' and ended_at is not null and attempts = 1");
    expect(await devicesLeft()).toBe(1);
  });

  it("hangs delays no other device, also with ten of them", async () => {
    for (let i = 0; i < 9; i++) await deviceOf(owner, "hang");
    const own = await deviceOf(owner);
    const other = await deviceOf(claimer);
    await pushMade();
    await claimOf(owner, await windowOf(claimer, await spotOf(claimer), 5, 6));
    await asService("select private.order_events()");
    await hurry();
    start({ longestMs: 100_000 }, 100);
    expect(await pushedTo(own)).toHaveLength(1);
    expect(await pushedTo(other)).toHaveLength(1);
    expect(await jobs("failures")).toEqual(Array(11).fill({ failures: 0 }));
  });

  it("hangs is given up for now, and a stop gives the push back", async () => {
    const device = await deviceOf(owner, "hang");
    await pushMade();
    start({ longestMs: 300 });
    await untilJobs("failure = 'did not answer in 0.3 seconds' and ended_at is null");
    await Promise.all(runners.splice(0).map((runner) => runner.stop()));
    await hurry();
    const runner = start();
    await pushedTo(device, 2);
    await runner.stop();
    await untilJobs("taken_until is null and failures = 1 and ended_at is null");
  });

  it("is at an address that is not public gets nothing", async () => {
    const device = await deviceOf(owner);
    await pushMade();
    start({ allowsLoopback: false });
    await untilJobs("failure = 'the URL leads to an address that is not public'");
    expect(service.pushed.filter(({ path }) => path === device.path)).toEqual([]);
  });
});

it("a device whose key is none is forgotten", async () => {
  const { keys } = makeBrowser();
  await deviceOf(owner, "201", {
    ...makeBrowser(),
    keys: { ...keys, p256dh: `B${"A".repeat(86)}` },
  });
  await pushMade();
  start();
  await untilJobs("failure = 'the key of the device is not valid' and ended_at is not null");
  expect(await devicesLeft()).toBe(0);
});

it("a device is not forgotten for a message that is too long", async () => {
  await deviceOf(owner);
  await pushMade();
  await building.rows(
    "update parking.notifications set data = data || jsonb_build_object('spot_number', repeat('9', 5000))",
  );
  start();
  await untilJobs("failure like '%not be longer than 4096 bytes' and ended_at is null");
  expect(await devicesLeft()).toBe(1);
});

it("processes that send pushes share one key", async () => {
  await sendsPushes();
  const first = await hasKey();
  await sendsPushes();
  expect(first).toMatch(/^B[\w-]{86}$/);
  expect(await hasKey()).toBe(first);
});
