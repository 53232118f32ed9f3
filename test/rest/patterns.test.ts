import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import { claimOf, type Spot, spotOf, useBuilding, type Window } from "../support/building.ts";
import { free } from "../support/exceptions.ts";
import { setLimits } from "../support/limits.ts";
import {
  dayAfter,
  everyDay,
  on,
  type Pattern,
  type PatternDay,
  patternOf,
  previewOf,
  threeDays,
  timesOf,
  windowsOf,
} from "../support/patterns.ts";
import type { Person } from "../support/person.ts";
import { everything } from "../support/rows.ts";

const building = useBuilding();
let owner: Person;
let spot: Spot;
beforeEach(async () => {
  owner = await building.resident();
  spot = await spotOf(owner);
});

/** A window of the spot outside any pattern. */
const windowOn = async (days: number, from: string, to: string): Promise<Window> =>
  (
    await owner.post<{ availability: Window }>(
      "/availabilities",
      {
        spot_id: spot.id,
        start_time: `${dayAfter(days)}T${from}:00Z`,
        end_time: `${dayAfter(days)}T${to}:00Z`,
      },
      201,
    )
  ).body.availability;

describe("POST /patterns", () => {
  it("publishes a window on each of its days", async () => {
    const answer = await owner.post<{ pattern: Pattern }>("/patterns", threeDays(spot), 201);
    const { pattern } = answer.body;

    expect(pattern).toEqual({
      ...threeDays(spot),
      id: expect.any(String),
      published_until: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(answer.headers.get("location")).toBe(`/api/patterns/${pattern.id}`);
    const windows = await windowsOf(owner, spot);
    expect(timesOf(windows)).toEqual([3, 4, 5].map((day) => on(day, "08:00", "18:00")));
    expect(windows.map(({ pattern_id }) => pattern_id)).toEqual(Array(3).fill(pattern.id));
  });

  it("ends at or before its start on the next day", async () => {
    const days = { first_day: dayAfter(3), last_day: dayAfter(3) };
    await patternOf(owner, { ...threeDays(spot), ...days, starts_at: "18:00", ends_at: "08:00" });

    expect(timesOf(await windowsOf(owner, spot))).toEqual([
      `${dayAfter(3)}T18:00 – ${dayAfter(4)}T08:00`,
    ]);
  });

  it("takes the days of the week that it names, until further notice", async () => {
    const weekday = everyDay[(new Date(dayAfter(4)).getUTCDay() + 6) % 7];
    const { last_day } = await patternOf(owner, {
      ...threeDays(spot),
      weekdays: [weekday],
      last_day: null,
    });

    expect(last_day).toBeNull();
    expect(timesOf(await windowsOf(owner, spot)).slice(0, 3)).toEqual(
      [4, 11, 18].map((day) => on(day, "08:00", "18:00")),
    );
  });

  it("goes out with the windows of patterns only", async () => {
    const window = await windowOn(3, "08:00", "09:00");
    expect(window).not.toHaveProperty("pattern_id");
  });

  it("publishes what other windows leave of its hours, and tells nobody", async () => {
    await windowOn(3, "09:00", "10:00");
    await patternOf(owner, { ...threeDays(spot), last_day: dayAfter(4) });

    expect(timesOf(await windowsOf(owner, spot))).toEqual([
      on(3, "08:00", "09:00"),
      on(3, "09:00", "10:00"),
      on(3, "10:00", "18:00"),
      on(4, "08:00", "18:00"),
    ]);
    expect((await owner.get("/notifications", 200)).body).toMatchObject({ total: 0 });
  });

  const invalid: readonly (readonly [string, object])[] = [
    ["weekdays", { weekdays: [] }],
    ["weekdays", { weekdays: ["MO", "MO"] }],
    ["weekdays/0", { weekdays: ["XX"] }],
    ["weekdays", { weekdays: "MO" }],
    ["starts_at", { starts_at: "24:00" }],
    ["starts_at", { starts_at: "8:00" }],
    ["ends_at", { ends_at: "now" }],
    ["first_day", { first_day: "2030-02-30" }],
    ["first_day", { first_day: null }],
    ["last_day", { last_day: "infinity" }],
    ["spot_id", { spot_id: "1" }],
    ["colour", { colour: "red" }],
  ];
  it.each(invalid)("refuses a wrong %s: %j", async (field, change) => {
    const answer = await owner.post("/patterns", { ...threeDays(spot), ...change }, 400);
    expect(Object.keys(answer.body.details ?? {})).toContain(field);
  });

  it("refuses a last day before the first", async () => {
    const body = { ...threeDays(spot), last_day: dayAfter(2) };
    expect(answerOf(await owner.post("/patterns", body))).toMatchObject(
      refusal(400, "last_day must not be before first_day"),
    );
  });

  it("refuses the spot of another, and one that is not there", async () => {
    const other = await building.resident();
    expect(answerOf(await other.post("/patterns", threeDays(spot)))).toEqual(
      refusal(403, "You can only create patterns for your own spots"),
    );
    expect(answerOf(await owner.post("/patterns", threeDays({ id: randomUUID() })))).toEqual(
      refusal(404, "Parking spot not found"),
    );
  });

  it("is carried out once under an Idempotency-Key", async () => {
    const headers = { "Idempotency-Key": `"${randomUUID()}"` };
    const post = () =>
      fetch(`${building.service.origin}/api/patterns`, {
        method: "POST",
        headers: {
          ...headers,
          Authorization: `Bearer ${owner.token}`,
          "Content-Type": "application/json",
        },
        body: JSON.stringify(threeDays(spot)),
      });
    const [first, second] = [await post(), await post()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await second.json()).toEqual(await first.json());
    expect(await windowsOf(owner, spot)).toHaveLength(3);
  });
});

describe("POST /patterns/preview", () => {
  const overlaps = "Availability overlaps an existing availability of this spot";
  const publishedTimes = (days: readonly PatternDay[]) =>
    timesOf(days.filter(({ outcome }) => outcome === "published"));
  afterEach(() => setLimits(building, {}));

  it("says what POST would do, without doing it", async () => {
    await windowOn(4, "17:00", "19:00");
    const before = await everything(building);

    const days = await previewOf(owner, threeDays(spot));

    expect(await everything(building)).toEqual(before);
    expect(days.map((day) => [day.day, ...timesOf([day]), day.outcome, day.reason])).toEqual([
      [dayAfter(3), on(3, "08:00", "18:00"), "published", null],
      [dayAfter(4), on(4, "08:00", "17:00"), "published", null],
      [dayAfter(4), on(4, "17:00", "18:00"), "overlaps", overlaps],
      [dayAfter(5), on(5, "08:00", "18:00"), "published", null],
    ]);
    await patternOf(owner, threeDays(spot));
    expect(timesOf((await windowsOf(owner, spot)).filter((it) => it.pattern_id))).toEqual(
      publishedTimes(days),
    );
  });

  it("cuts out what the owner keeps", async () => {
    const kept = { start_time: `${dayAfter(3)}T10:00:00Z`, end_time: `${dayAfter(4)}T12:00:00Z` };
    await owner.post("/exceptions", { ...kept, kind: "keep", spot_id: spot.id }, 201);

    const days = await previewOf(owner, threeDays(spot));
    expect(days.map((day) => [...timesOf([day]), day.outcome])).toEqual([
      [on(3, "08:00", "10:00"), "published"],
      [on(3, "10:00", "18:00"), "kept"],
      [on(4, "08:00", "12:00"), "kept"],
      [on(4, "12:00", "18:00"), "published"],
      [on(5, "08:00", "18:00"), "published"],
    ]);
    await patternOf(owner, threeDays(spot));
    expect(timesOf(await free(owner, spot))).toEqual(publishedTimes(days));
  });

  it("has no day where there is none", async () => {
    expect(
      await previewOf(owner, {
        ...threeDays(spot),
        first_day: "2020-01-01",
        last_day: "2020-02-01",
      }),
    ).toEqual([]);
    expect(
      await previewOf(owner, { ...threeDays(spot), first_day: "9999-12-30", last_day: null }),
    ).toEqual([]);
  });

  it("names what is too short to be claimed, and does not publish it", async () => {
    await setLimits(building, { shortest_claim_minutes: 120 });
    await windowOn(3, "09:00", "17:00");
    const body = { ...threeDays(spot), last_day: dayAfter(3) };
    const reason = "The claim is shorter than the building allows";
    expect(await previewOf(owner, body)).toMatchObject([
      { outcome: "refused", reason },
      { outcome: "overlaps" },
      { outcome: "refused", reason },
    ]);
    await patternOf(owner, body);
    expect(await windowsOf(owner, spot)).toHaveLength(1);
  });

  it("names the limit of the building that refuses a window", async () => {
    await setLimits(building, { horizon_days: 4 });
    const days = await previewOf(owner, { ...threeDays(spot), last_day: dayAfter(7) });
    expect(days.at(0)).toMatchObject({ outcome: "published", reason: null });
    expect(days.at(-1)).toMatchObject({
      outcome: "refused",
      reason: "The window ends further ahead than the building allows",
    });
  });

  it("says what PUT would do with a pattern, without doing it", async () => {
    const { id } = await patternOf(owner, threeDays(spot));
    const [first, second] = await windowsOf(owner, spot);
    await claimOf(await building.resident(), first as Window);
    await owner.delete(`/availabilities/${second?.id}`, 200);
    const before = await everything(building);
    const changed = { ...threeDays(spot), ends_at: "20:00", pattern_id: id };

    const days = await previewOf(owner, changed);

    expect(await everything(building)).toEqual(before);
    expect(days.map((day) => [...timesOf([day]), day.outcome, day.reason])).toEqual([
      [on(3, "08:00", "18:00"), "overlaps", null], // its own, and claimed
      [on(3, "18:00", "20:00"), "published", null],
      [on(4, "18:00", "20:00"), "published", null],
      [on(5, "08:00", "20:00"), "published", null],
    ]);
    await owner.put(`/patterns/${id}`, { ends_at: "20:00" }, 200);
    expect(timesOf(await windowsOf(owner, spot))).toEqual(days.flatMap((day) => timesOf([day])));
  });

  it("does so with one's own pattern of the spot only", async () => {
    const { id } = await patternOf(owner, threeDays(spot));
    const other = await building.resident();
    const none = refusal(404, "Pattern not found");
    for (const [person, body] of [
      [other, threeDays(spot)],
      [other, threeDays(await spotOf(other))],
      [owner, threeDays(await spotOf(owner))],
    ] as const)
      expect(answerOf(await person.post("/patterns/preview", { ...body, pattern_id: id }))).toEqual(
        none,
      );
  });

  it("refuses what POST refuses", async () => {
    const other = await building.resident();
    expect(answerOf(await other.post("/patterns/preview", threeDays(spot)))).toEqual(
      refusal(403, "You can only create patterns for your own spots"),
    );
    const unapproved = await building.unapproved();
    expect(answerOf(await unapproved.post("/patterns/preview", threeDays(spot)))).toEqual(
      refusal(403, "Account not approved"),
    );
  });
});

describe("GET /patterns", () => {
  it("lists one's own, newest first, also those of one spot", async () => {
    const other = await spotOf(owner);
    const first = await patternOf(owner, threeDays(spot));
    const second = await patternOf(owner, threeDays(other));
    const neighbour = await building.resident();

    expect((await owner.get("/patterns", 200)).body).toEqual({
      patterns: [second, first],
      total: 2,
    });
    expect((await owner.get(`/patterns?spot_id=${spot.id}`, 200)).body).toEqual({
      patterns: [first],
      total: 1,
    });
    expect((await neighbour.get("/patterns", 200)).body).toEqual({ patterns: [], total: 0 });
    expect((await owner.get(`/patterns/${first.id}`, 200)).body).toEqual({ pattern: first });
    for (const answer of [
      await neighbour.get(`/patterns/${first.id}`),
      await neighbour.put(`/patterns/${first.id}`, { ends_at: "12:00" }),
      await neighbour.delete(`/patterns/${first.id}`),
    ])
      expect(answerOf(answer)).toEqual(refusal(404, "Pattern not found"));
  });
});
