import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { claimOf, type Offer, offer, spotOf, useBuilding } from "../support/building.ts";
import { type Ear, listenTo, orderEvents } from "../support/events.ts";
import { type Person, requestJson } from "../support/person.ts";
import { suspend } from "../support/rows.ts";

const building = useBuilding();
const ears: Ear[] = [];
afterEach(() => {
  for (const ear of ears.splice(0)) ear.close();
});
const listen = async (person: Pick<Person, "token">, after?: number | string): Promise<Ear> => {
  const ear = await listenTo(building.service, person, after);
  ears.push(ear);
  return ear;
};
const order = () => orderEvents(building.service);
const typesOf = ({ heard }: Ear) => heard.map(({ type }) => type);

let offered: Offer;
const stranger = building.shared("resident");
const administrator = building.shared("administrator");
beforeAll(async () => {
  offered = await offer(building);
  await order();
});

describe("GET /events", () => {
  it("is a stream that no proxy keeps back", async () => {
    const { status, headers } = await listen(stranger);
    expect(status).toBe(200);
    expect(headers.get("Content-Type")).toMatch(/^text\/event-stream/);
    expect(headers.get("X-Accel-Buffering")).toBe("no");
    expect(headers.get("Cache-Control")).toBe("private, no-store, no-transform");
    expect(headers.get("Content-Encoding")).toBeNull();
    expect(headers.get("X-RateLimit-Limit")).toBeNull(); // turned off in tests
  });

  it("shows a claim to its parties and administrators, and to all what became of the window", async () => {
    const { owner, claimer, window } = offered;
    const everyone = [owner, claimer, administrator, stranger];
    const all = await Promise.all(everyone.map((person) => listen(person)));
    const claim = await claimOf(claimer, window);
    const last = await order();

    const aboutClaim = ({ heard }: Ear) =>
      heard.filter(({ type }) => !type.startsWith("notification"));
    const type = "availability.updated";
    await Promise.all(all.map((ear) => ear.until((heard) => heard.some((it) => it.type === type))));
    const { body } = await claimer.get<{ claim: object }>(`/claims/${claim.id}`, 200);
    const shown = await stranger.get<{ availability: object }>(`/availabilities/${window.id}`, 200);
    const toParty = { event: "claim.submitted", type: "claim.submitted", data: body.claim };
    const toAll = { event: type, type, data: shown.body.availability };
    const both = [toParty, toAll];
    expect(all.map(aboutClaim)).toMatchObject([both, both, both, [toAll]]);
    // A client hears both again where its connection breaks between the two.
    expect(aboutClaim(all[0] as Ear).map(({ id }) => id)).toEqual([
      Number.NaN,
      all[3]?.heard[0]?.id,
    ]);
    expect(shown.body.availability).toMatchObject({ is_claimed: true });

    const toOwner = await all[0]?.until(({ length }) => length === 3);
    const notifications = await owner.get<{ notifications: object[] }>("/notifications", 200);
    expect(toOwner?.find(({ type }) => type.startsWith("notification"))).toEqual({
      id: expect.any(Number),
      event: "notification.created",
      type: "notification.created",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: notifications.body.notifications[0],
    });
    const types = ["claim.submitted", type];
    expect(all.slice(1).map(typesOf)).toEqual([types, types, [type]]);
    expect(Math.max(...(toOwner ?? []).map(({ id }) => id || 0))).toBe(last);
  });

  it("shows what else happens as the API shows it", async () => {
    const own = await listen(stranger);
    const ofAdministrator = await listen(administrator);
    const spot = await spotOf(stranger);
    const { body } = await stranger.put<{ profile: object }>("/profile", { vehicle: "B-X 1" }, 200);
    await order();
    const heard = await own.until(({ length }) => length === 2);
    expect(heard).toMatchObject([
      { type: "spot.registered" },
      { type: "profile.updated", data: body.profile },
    ]);
    expect(heard.map(({ data }) => data)).toEqual([spot, body.profile]);
    await ofAdministrator.until(({ length }) => length === 2);
  });

  it("goes on after the Last-Event-ID, and begins anew after one that it does not know", async () => {
    const first = await listen(stranger);
    await spotOf(stranger);
    await spotOf(stranger);
    const last = await order();
    const heard = await first.until(({ length }) => length === 2);
    const again = await listen(stranger, heard[0]?.id);
    await again.until(({ length }) => length === 1);
    expect(again.heard).toEqual(heard.slice(1));

    for (const unknown of [last + 1, "18f0", "99999999999999999999"]) {
      const lost = await listen(stranger, unknown);
      await lost.until(({ length }) => length === 1);
      expect(lost.heard).toMatchObject([{ id: last, event: "reset", type: "reset", data: {} }]);
      lost.close();
    }
  });

  it("says that it begins anew where the log no longer has what follows", async () => {
    const before = await order();
    await building.rows(
      "insert into private.new_events (type, subject_id, data, occurred_at) values ('claim.submitted', uuidv7(), '{}', now() - interval '401 days')",
    );
    const last = await order();
    await building.service.pool.query("select private.prune()");
    const kept = await listen(stranger, last);
    const lost = await listen(stranger, before);
    await lost.until(({ length }) => length === 1);
    expect(lost.heard).toMatchObject([{ id: last, type: "reset" }]);
    await spotOf(stranger);
    await order();
    await Promise.all([
      kept.until(({ length }) => length === 1),
      lost.until((h) => h.length === 2),
    ]);
    expect(typesOf(kept)).toEqual(["spot.registered"]);
  });

  it("ends when the approval is taken back", async () => {
    const person = await building.resident();
    const ear = await listen(person);
    await suspend(building, person);
    expect(await ear.over).toBe("ended");
    expect((await person.get("/events")).status).toBe(403);
  });

  it("ends with the token", async () => {
    const { issuer } = building.service;
    // It ended three seconds ago: clocks may differ by five.
    const exp = Date.now() / 1_000 - 3;
    const ear = await listen({ token: await issuer.token({ sub: stranger.id, exp }) });
    expect(await ear.over).toBe("ended");
  });

  it("is bounded for each person", async () => {
    const person = await building.resident();
    const six = await Promise.all(Array.from({ length: 6 }, () => listen(person)));
    expect(six.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const refused = await person.get("/events");
    expect(refused).toMatchObject({ status: 429, body: { error: "Too many streams are open" } });
    expect(refused.headers.get("Retry-After")).toBe("60");
    expect((await listen(stranger)).status).toBe(200);
  });
});

describe("GET /events for who has missed much", () => {
  const other = useBuilding({ streams: { mostMissed: 3 } });

  it("begins anew, and tells the others all that they missed", async () => {
    const person = await other.resident();
    for (let i = 0; i < 4; i++) await spotOf(person);
    const last = await orderEvents(other.service);
    const near = await listenTo(other.service, person, last - 3);
    const far = await listenTo(other.service, person, last - 4);
    ears.push(near, far);
    await Promise.all([
      near.until(({ length }) => length === 3),
      far.until(({ length }) => length === 1),
    ]);
    expect(near.heard.map(({ id }) => id)).toEqual([last - 2, last - 1, last]);
    expect(far.heard).toMatchObject([{ id: last, type: "reset" }]);
  });
});

describe("GET /events where groups decide", () => {
  const other = useBuilding({
    groups: { claim: "groups", approved: "residents" },
    rateLimits: { perMinute: 50 },
  });

  it("ends when a later token is of nobody in the group, and counts as a request", async () => {
    const { id, email } = await other.unapproved();
    const tokenIn = (...groups: string[]) =>
      other.service.issuer.token({ sub: id, email, email_verified: true, groups });
    const ear = await listenTo(other.service, { token: await tokenIn("residents") });
    expect(ear.status).toBe(200);
    const left = Number(ear.headers.get("X-RateLimit-Remaining"));

    const options = { token: await tokenIn() };
    const refused = await requestJson(other.service.origin, "GET", "/api/events", options);
    expect(refused.status).toBe(403);
    expect(refused.headers.get("X-RateLimit-Remaining")).toBe(String(left - 1));
    expect(await ear.over).toBe("ended");
  });
});
