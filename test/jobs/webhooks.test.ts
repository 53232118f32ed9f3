import { afterEach, describe, expect, it } from "@jest/globals";
import { Webhook as Verifier } from "standardwebhooks";
import { createPool } from "../../src/database/pool.ts";
import { type JobRunner, startJobs } from "../../src/jobs/runner.ts";
import { webhooksJob } from "../../src/jobs/webhooks.ts";
import { createLogger } from "../../src/log/logger.ts";
import { claimOf, spotOf, useBuilding, windowOf } from "../support/building.ts";
import { opened } from "../support/opened.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { startRelay } from "../support/relay.ts";
import { until } from "../support/waiting.ts";
import { type Delivery, deliveriesOf, type Webhook, webhookOf } from "../support/webhooks.ts";

const building = useBuilding();
const receiver = opened<Receiver>(
  () => startReceiver(),
  (it) => it.kill(),
);
const administrator = building.shared("administrator");
const resident = building.shared("resident");
let runner: JobRunner | undefined;
afterEach(async () => {
  await runner?.stop();
  await building.rows("delete from parking.webhooks");
  await building.rows("delete from parking.notifications");
});

const logger = createLogger("silent");

/** Sends what is due from now on. */
function start(longestMs = 15_000, pool = building.service.pool): void {
  const webhook = webhooksJob(pool, logger, { allowsLoopback: true, longestMs });
  runner = startJobs({ pool, logger, kinds: { webhook } });
}

const hookTo = (path: string, given: object = {}): Promise<Webhook> =>
  webhookOf(administrator, { url: receiver.origin + path, ...given });

/** The newest delivery, once it is so. */
async function delivery(webhook: Webhook, is: (it: Delivery) => boolean): Promise<Delivery> {
  let found: Delivery | undefined;
  await until("a delivery", async () => {
    const { deliveries } = await deliveriesOf(administrator, webhook);
    found = deliveries.find(is);
    return found !== undefined;
  });
  if (!found) throw new Error("no delivery");
  return found;
}
const isDelivered = ({ state }: Delivery) => state === "delivered";
const hasFailed = ({ state }: Delivery) => state === "failing" || state === "given_up";

/** Makes what is to be tried again due now. */
const hurry = () =>
  building.rows(
    "update private.jobs set run_at = now() where kind = 'webhook' and failures > 0 and taken_until is null and ended_at is null",
  );
const read = async ({ id }: Webhook) =>
  (await administrator.get<{ webhook: Webhook }>(`/admin/webhooks/${id}`, 200)).body.webhook;
const secretOf = ({ secret = "" }: Webhook) => secret;

describe("an event", () => {
  it("goes out signed, as administrators see its subject", async () => {
    start();
    const webhook = await hookTo("/204?signed");
    const spot = await spotOf(resident);
    const { headers, body } = await receiver.received(({ path }) => path === "/204?signed");
    expect(new Verifier(secretOf(webhook)).verify(body, headers)).toEqual({
      type: "spot.registered",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: spot,
    });
    const { event_id, attempts } = await delivery(webhook, isDelivered);
    expect(attempts).toBe(1);
    expect(headers["webhook-id"]).toBe(event_id);
  });

  it("has what administrators read of its subject", async () => {
    const types = ["profile.registered", "availability.created", "claim.submitted"];
    await hookTo("/204?subjects", { types });
    const person = await building.newcomer();
    await person.post("/profile", { apartment_number: "7C", full_name: "Maria Silva" }, 201);
    const window = await windowOf(resident, await spotOf(resident));
    start();
    const sent = async (type: string) => {
      const { body } = await receiver.received(
        ({ path, body }) => path === "/204?subjects" && JSON.parse(body).type === type,
      );
      return JSON.parse(body).data;
    };
    const shown = async (path: string, name: string) =>
      (await administrator.get<Readonly<Record<string, unknown>>>(path, 200)).body[name];
    // The answer has flags only where they are true.
    expect(await sent("profile.registered")).toMatchObject(
      Object(await shown(`/admin/profiles/${person.id}`, "profile")),
    );
    expect(await sent("availability.created")).toEqual(
      await shown(`/availabilities/${window.id}`, "availability"),
    );
    const claim = await claimOf(await building.resident(), window);
    expect(await sent("claim.submitted")).toEqual(await shown(`/claims/${claim.id}`, "claim"));
  });

  it("goes to a chat as a sentence", async () => {
    await building.rows("update parking.building set name = 'Lindenhof 5', time_zone = 'UTC'");
    const types = ["claim.submitted", "spot.registered"];
    await hookTo("/204?chat", { types, format: "chat" });
    const spot = await spotOf(resident);
    const window = await windowOf(resident, spot);
    await claimOf(await building.resident(), window);
    start();
    const texts = async (count: number) => {
      const found = () => receiver.requests.filter(({ path }) => path === "/204?chat");
      await until("the texts", () => found().length === count);
      return found().map(({ body }) => JSON.parse(body).text);
    };
    const minutes = (time: string) => time.slice(0, 16).replace("T", " ");
    const span = `from ${minutes(window.start_time)} to ${minutes(window.end_time)} UTC`;
    expect((await texts(2)).toSorted()).toEqual([
      `Lindenhof 5: claim submitted, ${spot.spot_number}, ${span}`,
      `Lindenhof 5: spot registered, ${spot.spot_number}`,
    ]);
  });

  it("is tried again with the same id, signed anew, by the old secret too while that is replaced", async () => {
    const webhook = await hookTo("/500?again");
    await spotOf(resident);
    start();
    await delivery(webhook, hasFailed);
    const path = `/admin/webhooks/${webhook.id}`;
    const rotated = (await administrator.post<{ webhook: Webhook }>(`${path}/rotate`, {}, 201))
      .body;
    await administrator.put(path, { url: `${receiver.origin}/204?after` }, 200);
    await hurry();
    await delivery(webhook, isDelivered);

    const first = await receiver.received(({ path }) => path === "/500?again");
    const second = await receiver.received(({ path }) => path === "/204?after");
    expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
    expect(second.body).toBe(first.body);
    for (const { secret = "" } of [webhook, rotated.webhook])
      expect(new Verifier(secret).verify(second.body, second.headers)).toEqual(
        JSON.parse(first.body),
      );
  });

  it("goes out without what was erased since", async () => {
    const person = await building.newcomer();
    const webhook = await hookTo("/500?erased", { types: ["profile.registered"] });
    await person.post("/profile", { apartment_number: "7C", full_name: "Maria Silva" }, 201);
    start();
    await delivery(webhook, hasFailed);
    await building.rows("select private.erase_person($1)", [person.id]);
    await administrator.put(
      `/admin/webhooks/${webhook.id}`,
      { url: `${receiver.origin}/204?erased` },
      200,
    );
    await hurry();
    const { body } = await receiver.received(({ path }) => path === "/204?erased");
    expect(body).not.toContain("Maria");
    expect(JSON.parse(body).data).toMatchObject({ full_name: null, apartment_number: "erased" });
  });
});

describe("a receiver that", () => {
  it.each<[string, string, string]>([
    ["fails", "/500", "answered 500"],
    ["redirects", "/redirect", "answered 302; redirects are not followed"],
    ["hangs", "/hang", "did not answer in 0.3 seconds"],
    ["dies", "/cut", "could not be reached (ECONNRESET)"],
  ])("%s gets it again in five seconds or six", async (_what, path, failure) => {
    const webhook = await hookTo(path);
    await spotOf(resident);
    start(path === "/hang" ? 300 : undefined);
    expect(await delivery(webhook, hasFailed)).toMatchObject({ state: "failing", failure });
    const [job] = await building.rows<{ wait: number }>(
      `select extract(epoch from run_at - clock_timestamp())::float8 as wait
         from private.jobs
        where kind = 'webhook'`,
    );
    expect(job?.wait).toBeLessThanOrEqual(6);
    expect((await read(webhook)).failing_since).not.toBeNull();
  });

  it("answers 410 gets nothing more, and administrators learn it", async () => {
    const webhook = await hookTo("/410");
    await spotOf(resident);
    start();
    expect(await delivery(webhook, hasFailed)).toMatchObject({
      state: "given_up",
      failure: "answered 410",
    });
    expect((await read(webhook)).enabled).toBe(false);
    const { body } = await administrator.get<{ notifications: readonly object[] }>(
      "/notifications",
    );
    expect(body.notifications).toMatchObject([
      {
        kind: "webhook.disabled",
        message: "A webhook was turned off, because its deliveries failed",
      },
    ]);
  });

  it("hangs does not hold up another", async () => {
    const stuck = await hookTo("/hang?stuck");
    for (let i = 0; i < 10; i += 1) await spotOf(resident);
    start();
    await receiver.received(({ path }) => path === "/hang?stuck");
    const quick = await hookTo("/204?quick");
    await spotOf(resident);
    await delivery(quick, isDelivered);
    const { deliveries } = await deliveriesOf(administrator, stuck);
    expect(deliveries.filter(({ attempts }) => attempts > 0).length).toBeLessThanOrEqual(4);
  });

  it("fails ten times is given up, and gets it on request with the same id", async () => {
    const webhook = await hookTo("/500?ten");
    await spotOf(resident);
    start();
    const { event_id } = await delivery(webhook, hasFailed);
    await building.rows("update private.jobs set failures = 9 where kind = 'webhook'");
    await hurry();
    expect(await delivery(webhook, ({ state }) => state === "given_up")).toMatchObject({
      failure: "answered 500",
    });
    const path = `/admin/webhooks/${webhook.id}`;
    await administrator.put(path, { url: `${receiver.origin}/204?ten` }, 200);
    await administrator.post(`${path}/replay`, {}, 201);
    const { headers } = await receiver.received(({ path }) => path === "/204?ten");
    expect(headers["webhook-id"]).toBe(event_id);
    await delivery(webhook, isDelivered);
    expect((await read(webhook)).failing_since).toBeNull();
  });
});

it("what a receiver has taken is not sent again because PostgreSQL was away", async () => {
  await using started = new AsyncDisposableStack();
  const url = building.database.url("parking_api");
  const relay = started.adopt(await startRelay(Number(new URL(url).port)), (it) => it.close());
  const pool = started.adopt(createPool(relay.url(url), logger, { max: 2 }), (it) => it.end());
  const webhook = await hookTo("/204?away");
  await spotOf(resident);
  const ends = ["note_delivery", "end_job"].map((name) =>
    relay.cutAt("request", (flight) => flight.includes(name)),
  );
  start(undefined, pool);
  started.defer(() => runner?.stop());
  await Promise.all(ends);
  expect(await delivery(webhook, ({ state }) => state !== "waiting")).toMatchObject({
    state: "delivered",
    attempts: 1,
  });
  expect(receiver.requests.filter(({ path }) => path === "/204?away")).toHaveLength(1);
});

describe("a test", () => {
  it("is sent once, also where the webhook is off, and turns nothing off", async () => {
    const webhook = await hookTo("/500?test", { enabled: false });
    start();
    await administrator.post(`/admin/webhooks/${webhook.id}/test`, {}, 201);
    const { id } = await delivery(webhook, ({ state }) => state === "given_up");
    const { headers, body } = await receiver.received(({ path }) => path === "/500?test");
    expect(headers["webhook-id"]).toBe(id);
    expect(JSON.parse(body)).toMatchObject({ type: "webhook.test" });
    expect((await read(webhook)).failing_since).toBeNull();
  });

  it("is refused to an address that is not public", async () => {
    const webhook = await hookTo("");
    // The API takes no such address; a name may lead there, and change where it leads.
    await building.rows("update parking.webhooks set url = 'https://10.0.0.1/hook' where id = $1", [
      webhook.id,
    ]);
    start();
    await administrator.post(`/admin/webhooks/${webhook.id}/test`, {}, 201);
    expect(await delivery(webhook, hasFailed)).toMatchObject({
      failure: "the URL leads to an address that is not public",
    });
  });
});

describe("what waits for a webhook that", () => {
  it("was turned off is given up, and one that was deleted gets nothing", async () => {
    const [off, deleted] = [await hookTo("/204?off"), await hookTo("/204?deleted")];
    const working = await hookTo("/204?kept");
    await spotOf(resident);
    await building.service.pool.query("select private.order_events()");
    await administrator.put(`/admin/webhooks/${off.id}`, { enabled: false }, 200);
    await administrator.delete(`/admin/webhooks/${deleted.id}`, 200);
    start();
    expect(await delivery(off, hasFailed)).toMatchObject({
      state: "given_up",
      failure: "the webhook is turned off",
    });
    await delivery(working, isDelivered);
    const paths = receiver.requests.map(({ path }) => path);
    expect(paths).not.toContain("/204?off");
    expect(paths).not.toContain("/204?deleted");
  });

  it("got no secret is not sent", async () => {
    await administrator.sql(
      "insert into parking.webhooks (url, types) values ($1, '{spot.registered}')",
      [`${receiver.origin}/204?unsigned`],
    );
    await spotOf(resident);
    start();
    await until("it is given up", async () => {
      const sql = "select from private.jobs where failure = 'the webhook has no secret yet'";
      return (await building.rows(sql)).length === 1;
    });
    expect(receiver.requests.map(({ path }) => path)).not.toContain("/204?unsigned");
  });
});
