import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { flushStatistics } from "../concurrency/consistency.ts";
import { answerOf, refusal } from "../support/answers.ts";
import { claimOf, type Spot, spotOf, useBuilding, type Window } from "../support/building.ts";
import { expectOrder } from "../support/exceptions.ts";
import {
  cancel,
  freeOf,
  freeTime,
  joined,
  keep,
  shownOf,
  spanText,
  timesOn,
  windowOn,
} from "../support/free-time.ts";
import { setLimits } from "../support/limits.ts";
import {
  dayAfter,
  everyDay,
  type Pattern,
  type PatternDay,
  patternOf,
  previewOf,
  publishPatterns,
  setPatternDays,
  threeDays,
  windowsOf,
} from "../support/patterns.ts";
import type { Person } from "../support/person.ts";
import { backdate, everything } from "../support/rows.ts";

const building = useBuilding();
let owner: Person;
let neighbour: Person;
let spot: Spot;
beforeEach(async () => {
  await setPatternDays(building, 28);
  await setLimits(building, {});
  [owner, neighbour] = [await building.resident(), await building.resident()];
  spot = await spotOf(owner);
});
afterEach(() => expectOrder(building));

/** What is free, as the neighbour sees it by REST and by SQL: "3 08:00-18:00, 4 08:00-18:00". */
const free = () => freeTime(neighbour, spot);
const days = (times: string, ...which: readonly number[]) =>
  which.map((day) => `${day} ${times}`).join(", ");
const morning = () => threeDays(spot);
const put = async ({ id }: Pick<Pattern, "id">, change: object) =>
  (await owner.put<{ pattern: Pattern }>(`/patterns/${id}`, change, 200)).body.pattern;
const withdraw = ({ id }: Pick<Pattern, "id">) => owner.delete(`/patterns/${id}`, 200);
const byHand = (day: number, from: string, to: string) =>
  windowOn(owner, spot, timesOn(day, from, to));
const remove = ({ id }: Window) => owner.delete(`/availabilities/${id}`, 200);
const firstWindow = async () => (await windowsOf(owner, spot))[0] as Window;
const notFound = refusal(404, "Pattern not found");

describe("POST /patterns", () => {
  it("publishes a window on each of its days, and tells nobody", async () => {
    const answer = await owner.post<{ pattern: Pattern }>("/patterns", morning(), 201);
    const { pattern } = answer.body;
    expect(pattern).toEqual({
      ...morning(),
      id: expect.any(String),
      published_until: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(answer.headers.get("location")).toBe(`/api/patterns/${pattern.id}`);
    expect(await free()).toBe(days("08:00-18:00", 3, 4, 5));
    const windows = await windowsOf(owner, spot);
    expect(windows.map(({ pattern_id }) => pattern_id)).toEqual(Array(3).fill(pattern.id));
    expect(await byHand(9, "08:00", "09:00")).not.toHaveProperty("pattern_id");
    expect((await owner.get("/notifications", 200)).body).toMatchObject({ total: 0 });
  });

  it("takes the weekdays that it names, over midnight, until further notice", async () => {
    const weekday = everyDay[(new Date(dayAfter(4)).getUTCDay() + 6) % 7];
    const night = { weekdays: [weekday], starts_at: "18:00", ends_at: "08:00", last_day: null };
    expect((await patternOf(owner, { ...morning(), ...night })).last_day).toBeNull();
    expect(await free()).toMatch(/^4 18:00-5 08:00, 11 18:00-12 08:00, 18 18:00-19 08:00/);
  });
});

describe("POST /patterns/preview", () => {
  const overlaps = "Availability overlaps an existing availability of this spot";
  const shown = (previewed: readonly PatternDay[]) =>
    previewed.map((day) => [spanText(day), day.outcome, day.reason]);
  /** It says so, changes nothing, and what it calls published is then free of the pattern. */
  async function expectPreview(
    body: object,
    expected: unknown,
    make: () => Promise<unknown> = () => patternOf(owner, body),
  ): Promise<void> {
    const before = await everything(building);
    const previewed = await previewOf(owner, body);
    expect(await everything(building)).toEqual(before);
    expect(shown(previewed)).toEqual(expected);
    await make();
    const made = (await shownOf(owner, spot)).filter((it) => "pattern_id" in it).flatMap(freeOf);
    const published = previewed.filter(({ outcome }) => outcome === "published");
    expect(joined(made)).toEqual(joined(published));
  }

  it("says what POST would do, beside windows by hand and what the owner keeps", async () => {
    await byHand(4, "17:00", "19:00");
    await keep(owner, spot, timesOn(3, "10:00", "16:00", 1));
    await expectPreview(morning(), [
      [days("08:00-10:00", 3), "published", null],
      [days("10:00-18:00", 3), "kept", null],
      [days("08:00-16:00", 4), "kept", null],
      [days("16:00-17:00", 4), "published", null],
      [days("17:00-18:00", 4), "overlaps", overlaps],
      [days("08:00-18:00", 5), "published", null],
    ]);
  });

  it("says what PUT would do with the pattern, which is the caller's and of the spot", async () => {
    const { id } = await patternOf(owner, morning());
    const [first, second] = await windowsOf(owner, spot);
    const claim = await claimOf(neighbour, first as Window);
    await remove(second as Window);
    const body = { ...morning(), ends_at: "20:00", pattern_id: id };
    await expectPreview(
      body,
      [
        [days("08:00-18:00", 3), "overlaps", null], // its own, and claimed
        [days("18:00-20:00", 3), "published", null],
        [days("18:00-20:00", 4), "published", null],
        [days("08:00-20:00", 5), "published", null],
      ],
      () => put({ id }, { ends_at: "20:00" }),
    );
    await cancel(neighbour, claim);
    for (const [person, of] of [
      [neighbour, spot],
      [neighbour, await spotOf(neighbour)],
      [owner, await spotOf(owner)],
    ] as const) {
      const other = { ...body, spot_id: of.id };
      expect(answerOf(await person.post("/patterns/preview", other))).toEqual(notFound);
    }
  });

  it("goes on where no last day is said, also of a pattern that has one", async () => {
    const { id } = await patternOf(owner, morning());
    for (const last_day of [null, undefined]) {
      const days = await previewOf(owner, { ...morning(), last_day, pattern_id: id });
      expect(days.length).toBeGreaterThan(20);
    }
  });

  it("names the limit that refuses a part, which is not published", async () => {
    await byHand(3, "09:00", "17:00");
    await setLimits(building, { shortest_claim_minutes: 120, horizon_days: 4 });
    const short = "The claim is shorter than the building allows";
    const far = "The window ends further ahead than the building allows";
    const previewed = await previewOf(owner, { ...morning(), last_day: dayAfter(7) });
    expect(shown(previewed).slice(0, 3)).toEqual([
      [days("08:00-09:00", 3), "refused", short],
      [days("09:00-17:00", 3), "overlaps", overlaps],
      [days("17:00-18:00", 3), "refused", short],
    ]);
    expect(shown(previewed).at(-1)).toEqual([days("08:00-18:00", 7), "refused", far]);
    await patternOf(owner, { ...morning(), last_day: dayAfter(3) });
    expect(await free()).toBe(days("09:00-17:00", 3));
  });

  it("has no day where there is none, and refuses the spots of others", async () => {
    for (const [first_day, last_day] of [
      ["2020-01-01", "2020-02-01"],
      ["9999-12-30", null],
    ])
      expect(await previewOf(owner, { ...morning(), first_day, last_day })).toEqual([]);
    expect(answerOf(await neighbour.post("/patterns/preview", morning()))).toEqual(
      refusal(403, "You can only create patterns for your own spots"),
    );
  });
});

it("GET /patterns lists one's own, newest first, also those of one spot", async () => {
  const first = await patternOf(owner, morning());
  const second = await patternOf(owner, threeDays(await spotOf(owner)));
  const list = async (person: Person, query = "") =>
    (await person.get(`/patterns${query}`, 200)).body;
  expect(await list(owner)).toEqual({ patterns: [second, first], total: 2 });
  expect(await list(owner, `?spot_id=${spot.id}`)).toEqual({ patterns: [first], total: 1 });
  const path = `/patterns/${first.id}`;
  expect((await owner.get(path, 200)).body).toEqual({ pattern: first });
});

describe("PUT /patterns/{id}", () => {
  it("makes windows anew that nobody has claimed, and keeps those that are, with their ids", async () => {
    const pattern = await patternOf(owner, morning());
    const claim = await claimOf(neighbour, await firstWindow());
    const change = { starts_at: "10:00", ends_at: "20:00", last_day: dayAfter(6) };
    expect(await put(pattern, change)).toMatchObject(change);
    expect(await free()).toBe(`${days("18:00-20:00", 3)}, ${days("10:00-20:00", 4, 5, 6)}`);
    expect(await firstWindow()).toMatchObject({ id: claim.availability_id, is_claimed: true });
    // Its hours are the pattern's new ones, once it is free again.
    await cancel(neighbour, claim);
    expect(await free()).toBe(days("10:00-20:00", 3, 4, 5, 6));
    expect((await neighbour.get(`/claims/${claim.id}`, 200)).body).toMatchObject({
      claim: { status: "cancelled", availability_id: claim.availability_id },
    });
    expect(await put(pattern, { last_day: null })).toMatchObject({ last_day: null });
    expect((await windowsOf(owner, spot)).length).toBeGreaterThan(20);
  });

  it.each([{}, { ends_at: "18:00", last_day: 5 }])(
    "changes nothing where nothing is changed: %j",
    async (change) => {
      const pattern = await patternOf(owner, morning());
      const before = await everything(building);
      const same = "last_day" in change ? { ...change, last_day: dayAfter(5) } : change;
      expect(await put(pattern, same)).toEqual(pattern);
      expect(await everything(building)).toEqual(before);
    },
  );

  it("does not bring back what was withdrawn, moved, or removed by an administrator", async () => {
    const pattern = await patternOf(owner, { ...morning(), last_day: dayAfter(6) });
    const [withdrawn, moved, removed] = await windowsOf(owner, spot);
    await remove(withdrawn as Window);
    const start = { start_time: timesOn(4, "12:00", "18:00").start_time };
    const path = `/availabilities/${moved?.id}`;
    const { body } = await owner.put<{ availability: object }>(path, start, 200);
    expect(body.availability).not.toHaveProperty("pattern_id");
    const administrator = await building.administrator();
    await administrator.delete(`/admin/availabilities/${removed?.id}?reason=works`, 200);

    await put(pattern, { ends_at: "17:00" });
    expect(await free()).toBe(`${days("12:00-18:00", 4)}, ${days("08:00-17:00", 6)}`);
    // No more of a day than what was withdrawn.
    await put(pattern, { starts_at: "07:00", ends_at: "19:00" });
    expect(await free()).toMatch(
      /^3 07:00-08:00, 3 18:00-19:00, 4 07:00-08:00, 4 12:00-19:00, 5 07/,
    );
    await withdraw(pattern);
    expect(await free()).toBe(days("12:00-18:00", 4));
  });

  it("leaves what has begun", async () => {
    const pattern = await patternOf(owner, morning());
    const begun = await firstWindow();
    await backdate(building, "availabilities", begun, -2, 2);
    await building.rows("select private.recount()"); // triggers did not count these times
    await put(pattern, { ends_at: "17:00" });
    expect((await windowsOf(owner, spot)).map(({ id }) => id)).toContain(begun.id);
  });

  it("of a window leaves it to its pattern where it has these times already", async () => {
    const pattern = await patternOf(owner, morning());
    const { id, start_time, end_time } = await firstWindow();
    await owner.put(`/availabilities/${id}`, { start_time, end_time }, 200);
    expect(await firstWindow()).toMatchObject({ id, pattern_id: pattern.id });
  });
});

describe("a pattern that ends", () => {
  it("withdraws what nobody has claimed, says what stays, and a claim then frees nothing", async () => {
    const pattern = await patternOf(owner, morning());
    const [, second] = await windowsOf(owner, spot);
    const claim = await claimOf(neighbour, second as Window);
    expect((await withdraw(pattern)).body).toEqual({
      message: "Pattern deleted successfully",
      deleted_pattern_id: pattern.id,
      claimed_availability_ids: [second?.id],
    });
    await owner.delete(`/patterns/${pattern.id}`, 404);
    const left = await windowsOf(owner, spot);
    expect(left).toMatchObject([{ id: second?.id }]);
    expect(left[0]).not.toHaveProperty("pattern_id");
    await cancel(neighbour, claim);
    expect(await free()).toBe("");
    const { id: availability_id, start_time, end_time } = second as Window;
    await neighbour.post("/claims", { availability_id, start_time, end_time }, 404);
  });

  it("goes with its spot, and with the erasure of its owner, which cancels claims", async () => {
    const administrator = await building.administrator();
    const ends = [
      () => owner.delete(`/parking-spots/${spot.id}`, 200),
      () => administrator.delete(`/admin/profiles/${owner.id}?reason=left`, 200),
    ];
    for (const [i, end] of ends.entries()) {
      spot = await spotOf(owner);
      const pattern = await patternOf(owner, morning());
      const claim = i === 1 ? await claimOf(neighbour, await firstWindow()) : undefined;
      await end();
      const left = "select from parking.patterns where id = $1";
      expect(await building.rows(left, [pattern.id])).toEqual([]);
      expect(await windowsOf(neighbour, spot)).toEqual([]);
      const { id, availability_id } = claim ?? {};
      if (claim)
        expect((await neighbour.get(`/claims/${id}`, 200)).body).toMatchObject({
          claim: { status: "cancelled", availability_id },
        });
    }
  });

  it("is in the log, as its owner saw it", async () => {
    const pattern = await patternOf(owner, morning());
    await put(pattern, { ends_at: "17:00" });
    await withdraw(pattern);
    const events = await building.rows<{ type: string; data: object }>(
      "select type, private.event_data(type, data) as data from private.events where subject_id = $1 order by id",
      [pattern.id],
    );
    expect(events.map(({ type }) => type.replace("pattern.", ""))).toEqual([
      "created",
      "updated",
      "deleted",
    ]);
    expect(Object.keys(events[0]?.data ?? {}).toSorted()).toEqual(Object.keys(pattern).toSorted());
  });
});

it("the daily job publishes up to the horizon of the building and rests", async () => {
  await setLimits(building, { horizon_days: 7 });
  await setPatternDays(building, 3);
  await patternOf(owner, { ...morning(), first_day: dayAfter(2), last_day: null });
  await setPatternDays(building, 28);
  await publishPatterns(building);
  // Also those that were taken back are counted.
  const inserted = async () => {
    await flushStatistics(building.service.pool);
    const [row] = await building.rows<{ count: string }>(
      "select pg_stat_get_tuples_inserted('parking.availabilities'::regclass) as count",
    );
    return Number(row?.count);
  };
  const [rows, before] = [await everything(building), await inserted()];
  expect(before).toBeGreaterThan(0);
  await publishPatterns(building);
  expect(await everything(building)).toEqual(rows);
  expect(await inserted()).toBe(before);
  expect(await free()).toContain(days("08:00-18:00", 2, 3, 4, 5));
});
