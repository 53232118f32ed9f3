import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import { claimOf, type Spot, spotOf, useBuilding, type Window } from "../support/building.ts";
import { setLimits } from "../support/limits.ts";
import {
  dayAfter,
  everyDay,
  on,
  type Pattern,
  patternOf,
  previewOf,
  threeDays,
  timesOf,
  windowsOf,
} from "../support/patterns.ts";
import type { Person } from "../support/person.ts";
import { backdate, everything } from "../support/rows.ts";

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

  it("leaves out what overlaps another window, and tells the owner once", async () => {
    for (const day of [3, 5]) await windowOn(day, "09:00", "10:00");
    await patternOf(owner, threeDays(spot));

    expect(timesOf(await windowsOf(owner, spot))).toEqual([
      on(3, "09:00", "10:00"),
      on(4, "08:00", "18:00"),
      on(5, "09:00", "10:00"),
    ]);
    expect((await owner.get("/notifications", 200)).body).toMatchObject({
      total: 1,
      notifications: [
        {
          kind: "pattern.collided",
          spot_id: spot.id,
          message: `Your pattern could not offer parking spot ${spot.spot_number} from ${dayAfter(3)} 08:00 to ${dayAfter(3)} 18:00 UTC, because of another window`,
        },
      ],
    });

    await patternOf(owner, threeDays(spot));
    expect((await owner.get("/notifications", 200)).body).toMatchObject({ total: 1 });
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
  afterEach(() => setLimits(building, {}));

  it("says what POST would do, without doing it", async () => {
    await windowOn(4, "17:00", "19:00");
    const before = await everything(building);

    const days = await previewOf(owner, threeDays(spot));

    expect(await everything(building)).toEqual(before);
    expect(timesOf(days)).toEqual([3, 4, 5].map((day) => on(day, "08:00", "18:00")));
    expect(days.map(({ day }) => day)).toEqual([3, 4, 5].map(dayAfter));
    expect(days.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ["published", null],
      ["overlaps", "Availability overlaps an existing availability of this spot"],
      ["published", null],
    ]);
    await patternOf(owner, threeDays(spot));
    expect((await windowsOf(owner, spot)).filter((it) => it.pattern_id)).toHaveLength(2);
  });

  it("cuts out what the owner keeps", async () => {
    const kept = { start_time: `${dayAfter(3)}T10:00:00Z`, end_time: `${dayAfter(4)}T12:00:00Z` };
    await owner.post("/exceptions", { ...kept, kind: "keep", spot_id: spot.id }, 201);
    const expected = [
      [on(3, "08:00", "10:00"), "published"],
      [on(3, "10:00", "18:00"), "kept"],
      [on(4, "08:00", "12:00"), "kept"],
      [on(4, "12:00", "18:00"), "published"],
      [on(5, "08:00", "18:00"), "published"],
    ];

    const days = await previewOf(owner, threeDays(spot));
    expect(days.map((day) => [...timesOf([day]), day.outcome])).toEqual(expected);
    await patternOf(owner, threeDays(spot));
    expect(timesOf(await windowsOf(owner, spot))).toEqual(
      expected.filter(([, outcome]) => outcome === "published").map(([times]) => times),
    );
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

  it("names the limit of the building that refuses a window", async () => {
    await setLimits(building, { horizon_days: 4 });
    const days = await previewOf(owner, { ...threeDays(spot), last_day: dayAfter(7) });
    expect(days.at(0)).toMatchObject({ outcome: "published", reason: null });
    expect(days.at(-1)).toMatchObject({
      outcome: "refused",
      reason: "The window ends further ahead than the building allows",
    });
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

describe("PUT /patterns/{id}", () => {
  it("makes the windows anew that nobody has claimed, and leaves those that are", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    const [first] = await windowsOf(owner, spot);
    const claimer = await building.resident();
    if (first) await claimOf(claimer, first);

    const { body } = await owner.put<{ pattern: Pattern }>(
      `/patterns/${pattern.id}`,
      { starts_at: "10:00", ends_at: "12:00", last_day: dayAfter(6) },
      200,
    );

    expect(body.pattern).toMatchObject({ starts_at: "10:00", last_day: dayAfter(6) });
    const windows = await windowsOf(owner, spot);
    expect(timesOf(windows)).toEqual([
      on(3, "08:00", "18:00"),
      ...[4, 5, 6].map((day) => on(day, "10:00", "12:00")),
    ]);
    expect(new Set(windows.map(({ pattern_id }) => pattern_id))).toEqual(new Set([pattern.id]));
    // The claimed window is its own: that is no collision to be told of.
    expect((await owner.get("/notifications?is_read=false", 200)).body).toMatchObject({
      notifications: [{ kind: "claim.submitted" }],
    });
  });

  it("publishes what a claimed window leaves of the new hours", async () => {
    const night = { ...threeDays(spot), starts_at: "20:00", ends_at: "08:00" };
    const pattern = await patternOf(owner, night);
    const [, second] = await windowsOf(owner, spot);
    const claimer = await building.resident();
    if (second) await claimOf(claimer, second);

    await owner.put(`/patterns/${pattern.id}`, { starts_at: "06:00", ends_at: "22:00" }, 200);

    expect(timesOf(await windowsOf(owner, spot))).toEqual([
      on(3, "06:00", "22:00"),
      on(4, "06:00", "20:00"),
      `${dayAfter(4)}T20:00 – ${dayAfter(5)}T08:00`,
      on(5, "08:00", "22:00"),
    ]);
    expect((await owner.get("/notifications?is_read=false", 200)).body).toMatchObject({
      notifications: [{ kind: "claim.submitted" }],
    });
  });

  it("clears the last day", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    const { body } = await owner.put<{ pattern: Pattern }>(
      `/patterns/${pattern.id}`,
      { last_day: null },
      200,
    );
    expect(body.pattern.last_day).toBeNull();
    expect((await windowsOf(owner, spot)).length).toBeGreaterThan(20);
  });

  it.each([{}, { ends_at: "18:00", last_day: dayAfter(5) }])(
    "changes nothing where nothing is changed: %j",
    async (change) => {
      const pattern = await patternOf(owner, threeDays(spot));
      const before = await everything(building);
      expect((await owner.put(`/patterns/${pattern.id}`, change, 200)).body).toEqual({ pattern });
      expect(await everything(building)).toEqual(before);
    },
  );

  it("does not bring back what was withdrawn or moved by hand", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    const [withdrawn, moved] = await windowsOf(owner, spot);
    await owner.delete(`/availabilities/${withdrawn?.id}`, 200);
    const { body } = await owner.put<{ availability: object }>(
      `/availabilities/${moved?.id}`,
      { start_time: `${dayAfter(4)}T12:00:00Z` },
      200,
    );
    expect(body.availability).not.toHaveProperty("pattern_id");

    await owner.put(`/patterns/${pattern.id}`, { ends_at: "17:00" }, 200);

    const left = [on(4, "12:00", "18:00"), on(5, "08:00", "17:00")];
    expect(timesOf(await windowsOf(owner, spot))).toEqual(left);
    await owner.delete(`/patterns/${pattern.id}`, 200);
    expect(timesOf(await windowsOf(owner, spot))).toEqual(left.slice(0, 1));
  });

  it("does not bring back what an administrator removed", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    const [removed] = await windowsOf(owner, spot);
    const administrator = await building.administrator();
    await administrator.delete(`/admin/availabilities/${removed?.id}?reason=works`, 200);

    await owner.put(`/patterns/${pattern.id}`, { ends_at: "17:00" }, 200);

    expect(timesOf(await windowsOf(owner, spot))).toEqual(
      [4, 5].map((day) => on(day, "08:00", "17:00")),
    );
  });

  it("leaves what has begun", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    const [begun] = await windowsOf(owner, spot);
    if (begun) await backdate(building, "availabilities", begun, -2, 2);
    await building.rows("select private.recount()"); // triggers did not count these times

    await owner.put(`/patterns/${pattern.id}`, { ends_at: "17:00" }, 200);

    expect((await windowsOf(owner, spot)).map(({ id }) => id)).toContain(begun?.id);
  });

  it("keeps cancelled claims", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    const [first] = await windowsOf(owner, spot);
    if (!first) throw new Error("no window");
    const claimer = await building.resident();
    const { id } = await claimOf(claimer, first);
    const { body } = await claimer.put(`/claims/${id}`, { status: "cancelled" }, 200);

    await owner.put(`/patterns/${pattern.id}`, { ends_at: "17:00" }, 200);

    expect((await claimer.get(`/claims/${id}`, 200)).body).toEqual(body);
    expect(timesOf(await windowsOf(owner, spot)).slice(-3)).toEqual(
      [3, 4, 5].map((day) => on(day, "08:00", "17:00")),
    );
    expect(await building.rows("select * from private.count_drifts")).toEqual([]);
  });
});

describe("DELETE /patterns/{id}", () => {
  it("withdraws what nobody has claimed, and says what stays", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    const windows = await windowsOf(owner, spot);
    const claimer = await building.resident();
    if (windows[1]) await claimOf(claimer, windows[1]);

    expect((await owner.delete(`/patterns/${pattern.id}`, 200)).body).toEqual({
      message: "Pattern deleted successfully",
      deleted_pattern_id: pattern.id,
      claimed_availability_ids: [windows[1]?.id],
    });
    const [left, ...others] = await windowsOf(owner, spot);
    expect(left?.id).toBe(windows[1]?.id);
    expect(left).not.toHaveProperty("pattern_id");
    expect(others).toEqual([]);
    await owner.delete(`/patterns/${pattern.id}`, 404);
    expect(await building.rows("select * from private.count_drifts")).toEqual([]);
  });
});

describe("a pattern", () => {
  it("ends with its spot", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    await owner.delete(`/parking-spots/${spot.id}`, 200);
    await owner.get(`/patterns/${pattern.id}`, 404);
    expect(await windowsOf(owner, spot)).toEqual([]);
  });

  it("ends with the erasure of its owner; a claimed window stays with its claim", async () => {
    await patternOf(owner, threeDays(spot));
    const [first] = await windowsOf(owner, spot);
    const claimer = await building.resident();
    if (first) await claimOf(claimer, first);
    const administrator = await building.administrator();

    await administrator.delete(`/admin/profiles/${owner.id}?reason=left`, 200);

    expect(
      await building.rows("select from parking.patterns where owner_id = $1", [owner.id]),
    ).toEqual([]);
    expect(
      await building.rows("select id, pattern_id from parking.availabilities where owner_id = $1", [
        owner.id,
      ]),
    ).toEqual([{ id: first?.id, pattern_id: null }]);
  });

  it("is in the log, as its owner saw it", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    await owner.put(`/patterns/${pattern.id}`, { ends_at: "17:00" }, 200);
    await owner.delete(`/patterns/${pattern.id}`, 200);
    const events = await building.rows<{ type: string; data: object }>(
      "select type, data from private.events where subject_id = $1 order by id",
      [pattern.id],
    );
    expect(events.map(({ type }) => type)).toEqual([
      "pattern.created",
      "pattern.updated",
      "pattern.deleted",
    ]);
    expect(Object.keys(events[0]?.data ?? {}).toSorted()).toEqual(Object.keys(pattern).toSorted());
  });
});
