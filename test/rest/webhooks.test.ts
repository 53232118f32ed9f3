import { afterEach, describe, expect, it } from "@jest/globals";
import { send } from "../graphql/ask.ts";
import { answerOf, complaint, malformed, refusal } from "../support/answers.ts";
import { spotOf, useBuilding } from "../support/building.ts";
import { type Failure, requestJson } from "../support/person.ts";
import { startService } from "../support/service.ts";
import { holdsForAll } from "../support/table.ts";
import { deliveriesOf as readDeliveries, type Webhook, webhookOf } from "../support/webhooks.ts";

const building = useBuilding();
const administrator = building.shared("administrator");
const resident = building.shared("resident");
afterEach(() => building.rows("delete from parking.webhooks"));

const GIVEN = { url: "https://hooks.example.org/a", types: ["spot.registered"] };
const create = (given: object = {}) => webhookOf(administrator, { ...GIVEN, ...given });
const deliveriesOf = (webhook: Webhook, query = "") =>
  readDeliveries(administrator, webhook, query);
const order = () => building.service.pool.query("select private.order_events()");
/** Makes these deliveries end as an attempt would. */
const end = (failure: string | null) =>
  building.rows(
    "update private.jobs set ended_at = now(), attempts = 1, failure = $1 where kind = 'webhook'",
    [failure],
  );

describe("POST /admin/webhooks", () => {
  it("makes one, and shows the secret that nothing else shows", async () => {
    const answer = await administrator.post<{ webhook: Webhook }>("/admin/webhooks", GIVEN, 201);
    const { secret, ...webhook } = answer.body.webhook;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toEqual({
      id: expect.any(String),
      ...GIVEN,
      format: "event",
      enabled: true,
      failing_since: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(answer.headers.get("Location")).toBe(`/api/admin/webhooks/${webhook.id}`);
    expect(answer.headers.get("Cache-Control")).toContain("no-store");
    expect((await administrator.get(`/admin/webhooks/${webhook.id}`)).body).toEqual({ webhook });
    expect((await administrator.get("/admin/webhooks")).body).toEqual({
      webhooks: [webhook],
      total: 1,
    });
  });

  it("refuses in production what leads to this machine or its network, and to change to it", async () => {
    const production = await startService(building.database.url("parking_api"), {
      allowsLoopback: false,
    });
    const token = await production.issuer.token({ sub: administrator.id });
    const ask = async (method: string, path: string, body: object) => {
      const asked = { token, body };
      const { origin } = production;
      return complaint(
        await requestJson<Failure>(origin, method, `/api/admin/webhooks${path}`, asked),
      );
    };
    const { id } = await create();
    await holdsForAll(
      [
        ...["http://example.org/", "https://me:secret@example.org/", "https://10.0.0.1/"],
        ...["https://0x7f.1/", "https://[::1]/", "https://169.254.169.254/latest"],
        ...["https://localhost:8443/", "http://127.0.0.1:8080/", "https://example.org:25/"],
      ],
      async (url) => {
        expect(await ask("POST", "", { ...GIVEN, url })).toEqual(malformed("url"));
        expect(await ask("PUT", `/${id}`, { url })).toEqual(malformed("url"));
      },
    ).finally(production.close);
  });
});

describe("webhooks", () => {
  it("are changed, turned off and deleted", async () => {
    const { secret: _, ...webhook } = await create();
    const path = `/admin/webhooks/${webhook.id}`;
    const change = { url: "https://other.example", types: ["claim.submitted"], format: "chat" };
    const changed = { ...webhook, ...change, updated_at: expect.any(String) };
    expect((await administrator.put(path, change)).body).toEqual({ webhook: changed });
    expect((await administrator.put(path, { enabled: false })).body).toEqual({
      webhook: { ...changed, enabled: false },
    });
    expect(answerOf(await administrator.delete(path))).toEqual({
      status: 200,
      body: { message: "Webhook deleted successfully", deleted_webhook_id: webhook.id },
    });
    expect(answerOf(await administrator.get(path))).toEqual(refusal(404, "Webhook not found"));
  });

  it("are not in GraphQL", async () => {
    const { body } = await send(building, administrator, "{ __schema { types { name } } }");
    expect(JSON.stringify(body)).not.toMatch(/webhook|deliver/i);
  });
});

describe("deliveries", () => {
  it("are one for each event of the webhook's types", async () => {
    await order();
    const webhook = await create();
    const spot = await spotOf(resident);
    await order();
    expect(await deliveriesOf(webhook)).toEqual({
      deliveries: [
        {
          id: expect.any(String),
          event_id: expect.any(String),
          type: "spot.registered",
          position: expect.any(Number),
          state: "waiting",
          attempts: 0,
          failure: null,
          next_attempt_at: expect.any(String),
          ended_at: null,
          created_at: expect.any(String),
        },
      ],
      total: 1,
    });
    const [event] = await building.rows(
      "select e.id from private.events e where e.subject_id = $1",
      [spot.id],
    );
    expect((await deliveriesOf(webhook)).deliveries[0]?.event_id).toBe(event?.id);
  });

  it("are listed by their state, and those of one webhook only", async () => {
    const [webhook, other] = [await create(), await create()];
    for (const { id } of [webhook, other])
      await administrator.post(`/admin/webhooks/${id}/test`, {}, 201);
    await end("answered 500");
    await administrator.post(`/admin/webhooks/${webhook.id}/test`, {}, 201);
    expect((await deliveriesOf(webhook)).total).toBe(2);
    expect((await deliveriesOf(webhook, "?state=given_up")).deliveries).toMatchObject([
      { type: "webhook.test", event_id: null, state: "given_up", failure: "answered 500" },
    ]);
    expect((await deliveriesOf(webhook, "?state=waiting")).total).toBe(1);
    expect((await deliveriesOf(webhook, "?state=delivered")).total).toBe(0);
  });
});

describe("POST /admin/webhooks/{id}/replay", () => {
  const replay = async ({ id }: Webhook, body: object) =>
    (
      await administrator.post<{ deliveries: number; until: number | null }>(
        `/admin/webhooks/${id}/replay`,
        body,
        201,
      )
    ).body;

  it("sends again what is after a position, one event, or all that was given up", async () => {
    await order();
    const webhook = await create();
    for (let i = 0; i < 3; i += 1) await spotOf(resident);
    await order();
    const sent = (await deliveriesOf(webhook)).deliveries.toSorted(
      (a, b) => (a.position ?? 0) - (b.position ?? 0),
    );
    const [first, , last] = sent;
    await end(null);
    expect(await replay(webhook, { since: first?.position })).toEqual({
      deliveries: 2,
      until: last?.position,
    });
    expect((await deliveriesOf(webhook, "?state=waiting")).total).toBe(2);

    await end(null);
    expect(await replay(webhook, { event_id: first?.event_id })).toEqual({
      deliveries: 1,
      until: first?.position,
    });
    expect((await deliveriesOf(webhook, "?state=waiting")).deliveries).toMatchObject([
      { id: first?.id, event_id: first?.event_id },
    ]);

    await end(null);
    expect(await replay(webhook, {})).toEqual({ deliveries: 0, until: null });
    await end("answered 500");
    expect(await replay(webhook, {})).toEqual({ deliveries: 3, until: last?.position });
    expect((await deliveriesOf(webhook)).total).toBe(3);
  });

  it("sends what was before the webhook, and what was pruned, but nothing of other types or where it is off", async () => {
    const spot = await spotOf(resident);
    await order();
    const [event] = await building.rows<{ position: string }>(
      "select position from private.events where subject_id = $1",
      [spot.id],
    );
    const since = Number(event?.position) - 1;
    const webhook = await create();
    expect(await replay(webhook, { since })).toEqual({ deliveries: 1, until: since + 1 });
    for (const given of [{ types: ["claim.deleted"] }, { enabled: false }])
      expect(await replay(await create(given), { since: 0 })).toEqual({
        deliveries: 0,
        until: null,
      });
  });
});
