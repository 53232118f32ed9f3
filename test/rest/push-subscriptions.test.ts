import { describe, expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import { useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { newSubscription } from "../support/push-service.ts";

const building = useBuilding();

interface Subscription {
  readonly id: string;
  readonly endpoint: string;
  readonly created_at: string;
}

async function subscribe(person: Person, subscription = newSubscription()): Promise<Subscription> {
  const { body } = await person.post<{ push_subscription: Subscription }>(
    "/push-subscriptions",
    subscription,
    201,
  );
  return body.push_subscription;
}
const list = async (person: Person) =>
  (
    await person.get<{ push_subscriptions: readonly Subscription[]; total: number }>(
      "/push-subscriptions",
      200,
    )
  ).body;

describe("/push-subscriptions", () => {
  it("has the devices of a person, newest first, without their keys", async () => {
    const person = await building.resident();
    const [first, second] = [await subscribe(person), await subscribe(person)];
    expect(await list(person)).toEqual({ push_subscriptions: [second, first], total: 2 });
    expect(Object.keys(first).toSorted()).toEqual(["created_at", "endpoint", "id"]);
    const one = await person.get(`/push-subscriptions/${first.id}`);
    expect(answerOf(one)).toEqual({ status: 200, body: { push_subscription: first } });
  });

  it("is there before approval, and not before registration", async () => {
    const unapproved = await building.unapproved();
    const { id } = await subscribe(unapproved);
    const newcomer = await building.newcomer();
    const answer = await newcomer.post("/push-subscriptions", newSubscription());
    expect(answerOf(answer)).toEqual(refusal(404, "User profile not found"));
    await unapproved.delete(`/push-subscriptions/${id}`, 200);
    expect((await list(unapproved)).total).toBe(0);
  });

  it("moves an endpoint to whoever signed in last on that device, also with its tenth", async () => {
    const [first, second] = [await building.resident(), await building.resident()];
    const subscription = newSubscription();
    await subscribe(first, subscription);
    for (let i = 0; i < 9; i++) await subscribe(second);
    const moved = await subscribe(second, {
      ...newSubscription(),
      endpoint: subscription.endpoint,
    });
    expect((await list(first)).total).toBe(0);
    expect((await list(second)).push_subscriptions[0]).toEqual(moved);
    const again = await subscribe(second, subscription); // the tenth anew is no eleventh
    expect((await list(second)).push_subscriptions[0]).toEqual(again);
    expect((await list(second)).total).toBe(10);
  });

  it("takes a device from several tabs at once", async () => {
    const person = await building.resident();
    const subscription = newSubscription();
    await Promise.all([1, 2, 3, 4].map(() => subscribe(person, subscription)));
    expect((await list(person)).total).toBe(1);
  });

  it("keeps nobody's endpoint from the API role without a caller", async () => {
    const person = await building.resident();
    const { endpoint } = await subscribe(person);
    await building.service.pool.query("select private.free_endpoint($1)", [endpoint]);
    expect((await list(person)).total).toBe(1);
  });

  it.each([
    ["https://10.0.0.1/push", "leads to an address that is not public"],
    ["https://[fd00::1]:8443/push", "leads to an address that is not public"],
    ["https://push.example.net:25/push", "must have port 443 or one from 1024 on"],
    ["http://push.example.net/push", "must begin with https://"],
  ])("refuses %s: it %s", async (endpoint, why) => {
    const person = await building.resident();
    const answer = await person.post("/push-subscriptions", newSubscription(endpoint));
    expect(answer.status).toBe(400);
    expect(answer.body.details?.endpoint?._errors[0]).toContain(why);
  });

  it("is in the export without its keys", async () => {
    const person = await building.resident();
    const own = await subscribe(person);
    const { body } = await person.get<{ push_subscriptions: object[] }>("/profile/export", 200);
    expect(body.push_subscriptions).toEqual([
      { person_id: person.id, ...own, created_at: expect.any(String) },
    ]);
  });
});

it("push_subscriptions_endpoint_key lets an endpoint be of one person, for direct SQL too", async () => {
  const [first, second] = [await building.resident(), await building.resident()];
  const { endpoint, p256dh, auth } = newSubscription();
  const insert =
    "insert into parking.push_subscriptions (endpoint, p256dh, auth) values ($1, $2, $3)";
  await first.sql(insert, [endpoint, p256dh, auth]);
  expect(await second.sqlError(insert, [endpoint, p256dh, auth])).toMatchObject({
    code: "23505",
    constraint: "push_subscriptions_endpoint_key",
  });
});

it("/push-key is null until a process sends pushes, and then the same for all", async () => {
  const person = await building.unapproved();
  const read = async () => answerOf(await person.get("/push-key"));
  expect(await read()).toEqual({ status: 200, body: { push_key: null } });
  const offer = (letter: string) =>
    building.service.pool.query("select private.use_push($1, $2)", [
      `B${letter.repeat(86)}`,
      "A".repeat(43),
    ]);
  await offer("A");
  await offer("E");
  const public_key = `B${"A".repeat(86)}`;
  expect(await read()).toEqual({ status: 200, body: { push_key: { public_key } } });
  expect(await person.sqlError("select from private.push_key")).toMatchObject({ code: "42501" });
});
