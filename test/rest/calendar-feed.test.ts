import { describe, expect, it } from "@jest/globals";
import { answerOf, complaint, malformed, refusal } from "../support/answers.ts";
import {
  type Building,
  claimOf,
  holding,
  spotOf,
  useBuilding,
  windowOf,
} from "../support/building.ts";
import { type Person, requestJson } from "../support/person.ts";
import { stored, suspend } from "../support/rows.ts";
import { eventsIn } from "./calendars.ts";

const building = useBuilding({ rateLimits: { refusedTokensPerMinute: 1_000 } });

interface Feed {
  readonly url: string;
  readonly language: string;
  readonly created_at: string;
}

const subscribe = async (person: Person, body = {}): Promise<Feed> =>
  (await person.post<{ feed: Feed }>("/calendar-feed", body, 201)).body.feed;

/** What a calendar app sends, which has no token. */
const open = (url: string, headers: Readonly<Record<string, string>> = {}, method = "GET") => {
  const { origin, pathname, search } = new URL(url);
  return requestJson<string>(origin, method, pathname + search, { headers });
};
const calendarAt = async (url: string) => {
  const { status, body } = await open(url);
  return status === 200 ? eventsIn(body).map(({ uid, status: state }) => [uid, state]) : status;
};

const none = { status: 200, body: { feed: null } };
const absent = refusal(404, "Calendar feed not found");
const urlWith = (key: string, { service }: Building = building) =>
  `${service.origin}/api/calendar-feed.ics?sig=${key}`;
const wrongKey = "x".repeat(43);

describe("POST /calendar-feed", () => {
  it("gives the address once", async () => {
    const person = await building.resident();
    const { body, headers } = await person.post<{ feed: Feed }>("/calendar-feed", {}, 201);
    const { url, ...shown } = body.feed;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/calendar-feed\.ics\?sig=[\w-]{43}$/);
    expect(shown).toEqual({ language: "en", created_at: expect.any(String) });
    expect(headers.get("Location")).toBe("/api/calendar-feed");
    expect(headers.get("ETag")).toBeNull();

    expect(answerOf(await person.get("/calendar-feed"))).toEqual({
      status: 200,
      body: { feed: shown },
    });
  });

  it("ends the feed before", async () => {
    const person = await building.resident();
    const first = await subscribe(person);
    const second = await subscribe(person);
    expect([await calendarAt(first.url), await calendarAt(second.url)]).toEqual([404, []]);
  });

  it("knows two languages", async () => {
    const { claimer, spot } = await holding(building);
    const { url, language } = await subscribe(claimer, { language: "de" });
    const { body } = await open(url, { "Accept-Language": "en" });
    expect([language, eventsIn(body)[0]?.summary]).toEqual([
      "de",
      `Parken auf ${spot.spot_number}`,
    ]);
    const answer = await claimer.post("/calendar-feed", { language: "fr" });
    expect(complaint(answer)).toEqual(malformed("language"));
  });
});

it("DELETE /calendar-feed ends the feed at once", async () => {
  const person = await building.resident();
  const { url } = await subscribe(person);
  expect(await calendarAt(url)).toEqual([]);
  expect(answerOf(await person.delete("/calendar-feed"))).toEqual({
    status: 200,
    body: { message: "Calendar feed ended successfully" },
  });
  expect(answerOf(await open(url))).toEqual(absent);
  expect(answerOf(await person.delete("/calendar-feed"))).toEqual(absent);
  expect(answerOf(await person.get("/calendar-feed"))).toEqual(none);
});

describe("GET /calendar-feed.ics", () => {
  it("shows what its owner sees, also what was cancelled", async () => {
    const { owner, claimer, claim, spot } = await holding(building);
    const own = await spotOf(claimer);
    const received = await claimOf(owner, await windowOf(claimer, own, 2, 3));
    const cancelled = await claimOf(claimer, await windowOf(owner, spot, 10, 12));
    await claimer.put(`/claims/${cancelled.id}`, { status: "cancelled" }, 200);
    const { url } = await subscribe(claimer);
    expect(await calendarAt(url)).toEqual([
      [claim.id, "CONFIRMED"],
      [received.id, "CONFIRMED"],
      [cancelled.id, "CANCELLED"],
    ]);

    const { body } = await claimer.get<string>("/calendar.ics", 200);
    expect((await open(url)).body).toBe(body);
  });

  it("is not sent again to an app that has it, until something changes", async () => {
    const { owner, claimer, claim, spot } = await holding(building);
    const { url } = await subscribe(claimer);
    const changes = [
      () => claimer.put(`/claims/${claim.id}`, { status: "completed" }, 200),
      () => owner.put("/profile", { full_name: "Olga" }, 200),
      () => owner.put(`/parking-spots/${spot.id}`, { building_section: "South" }, 200),
      async () => claimOf(claimer, await windowOf(owner, spot, 10, 12)),
    ];
    for (const change of changes) {
      const { headers } = await open(url);
      const condition = { "If-None-Match": `W/${headers.get("ETag")}` };
      expect(answerOf(await open(url, condition))).toEqual({ status: 304, body: undefined });
      await change();
      expect((await open(url, condition)).status).toBe(200);
    }
  });

  it("answers HEAD without the body, and has no other method", async () => {
    const { url } = await subscribe(await building.resident());
    expect(answerOf(await open(url, {}, "HEAD"))).toEqual({ status: 200, body: undefined });
    const options = await open(url, {}, "OPTIONS");
    expect([options.status, options.headers.get("Allow")]).toEqual([200, "HEAD, GET"]);
    const post = await open(url, {}, "POST");
    expect(answerOf(post)).toEqual(refusal(405, "Method not allowed"));
    expect(post.headers.get("Allow")).toBe("HEAD, GET");
  });

  it.each([wrongKey, "", "short", "%00", `${wrongKey}&sig=${wrongKey}`])(
    "is 404 for the wrong key %s",
    async (key) => {
      expect(answerOf(await open(urlWith(key)))).toEqual(absent);
    },
  );

  it("does not look at a token", async () => {
    const { claimer, claim } = await holding(building);
    const { url } = await subscribe(claimer);
    const other = await building.resident();
    const { status, body } = await open(url, { Authorization: `Bearer ${other.token}` });
    expect([status, eventsIn(body)[0]?.uid]).toEqual([200, claim.id]);
    const wrong = await open(urlWith(wrongKey), { Authorization: `Bearer ${claimer.token}` });
    expect(answerOf(wrong)).toEqual(absent);
  });

  it("rests without its owner's approval, and comes back with it", async () => {
    const { claimer, claim } = await holding(building);
    const { url } = await subscribe(claimer);
    await suspend(building, claimer);
    expect(await calendarAt(url)).toBe(404);
    const administrator = await building.administrator();
    await administrator.put(`/admin/profiles/${claimer.id}`, { is_approved: true }, 200);
    expect(await calendarAt(url)).toEqual([[claim.id, "CONFIRMED"]]);
  });

  it("ends with the erasure of its owner, and names nobody who was erased", async () => {
    const { owner, claimer, claim } = await holding(building);
    await claimer.put("/profile", { full_name: "Zebedee Quux" }, 200);
    const [ofOwner, ofClaimer] = [await subscribe(owner), await subscribe(claimer)];
    expect((await open(ofOwner.url)).body).toContain("Zebedee Quux");
    const administrator = await building.administrator();
    await administrator.delete(`/admin/profiles/${claimer.id}?reason=Moved`, 200);
    expect(await calendarAt(ofClaimer.url)).toBe(404);
    const { body } = await open(ofOwner.url);
    expect(body).not.toContain("Zebedee Quux");
    expect(eventsIn(body)).toMatchObject([{ uid: claim.id, status: "CANCELLED" }]);
    expect(await stored(building, "profiles", claimer.id)).toMatchObject({ is_approved: false });
  });
});

describe.each(["memory", "postgres"] as const)("the limits of feeds, counted in %s,", (store) => {
  const limited = useBuilding({
    rateLimits: { store, refusedTokensPerMinute: 5, perMinute: 10, perHour: 1_000 },
  });
  const statuses = async (times: number, url: string) => {
    const found: number[] = [];
    for (let i = 0; i < times; i++) found.push((await open(url)).status);
    return found;
  };
  const times = (count: number, status: number) => Array.from({ length: count }, () => status);

  it("stop an app that asks too often, and neither its owner nor other feeds", async () => {
    const person = await limited.resident();
    const { url } = await subscribe(person);
    const other = await subscribe(await limited.resident());
    expect(await statuses(13, url)).toEqual([...times(10, 200), ...times(3, 429)]);
    expect((await person.get("/calendar-feed")).status).toBe(200);
    expect((await open(other.url)).status).toBe(200);
  });

  it("are those of the person, whose next address has no more", async () => {
    const person = await limited.resident();
    expect(await statuses(6, (await subscribe(person)).url)).toEqual(times(6, 200));
    expect(await statuses(6, (await subscribe(person)).url)).toEqual([
      ...times(4, 200),
      ...times(2, 429),
    ]);
  });

  it("stop who guesses secrets, and not the apps at the same address", async () => {
    const { url } = await subscribe(await limited.resident());
    expect((await open(url)).status).toBe(200);
    expect(await statuses(8, urlWith(wrongKey, limited))).toEqual([
      ...times(5, 404),
      ...times(3, 429),
    ]);
    const refused = await open(urlWith("short", limited));
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([
      429,
      expect.stringMatching(/^\d+$/),
    ]);
    expect((await open(url)).status).toBe(200);
  });
});
