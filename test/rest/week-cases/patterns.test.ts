import { beforeEach, describe, expect, it } from "@jest/globals";
import { flushStatistics } from "../../concurrency/consistency.ts";
import { type Spot, spotOf, useBuilding, type Window } from "../../support/building.ts";
import {
  absence,
  cancel,
  end,
  freeOf,
  freeTime,
  joined,
  keep,
  shownOf,
  take,
  timesOn,
  windowOn,
} from "../../support/free-time.ts";
import { setLimits } from "../../support/limits.ts";
import {
  dayAfter,
  everyDay,
  patternOf,
  previewOf,
  publishPatterns,
  setPatternDays,
  threeDays,
} from "../../support/patterns.ts";
import type { Person } from "../../support/person.ts";
import { everything } from "../../support/rows.ts";

const building = useBuilding();
let owner: Person;
let neighbour: Person;
let stranger: Person;
let spot: Spot;
beforeEach(async () => {
  await setPatternDays(building, 28);
  await setLimits(building, {});
  owner = await building.resident();
  [neighbour, stranger] = [await building.resident(), await building.resident()];
  spot = await spotOf(owner);
});

const free = () => freeTime(stranger, spot);
const days = (times: string, ...which: readonly number[]) =>
  which.map((day) => `${day} ${times}`).join(", ");
const morning = () => threeDays(spot);
const afternoon = () => ({ ...threeDays(spot), starts_at: "12:00", ends_at: "20:00" });
const withdraw = (pattern: { readonly id: string }) => owner.delete(`/patterns/${pattern.id}`, 200);
const byHand = (day: number, from: string, to: string) =>
  windowOn(owner, spot, timesOn(day, from, to));
const remove = ({ id }: Window) => owner.delete(`/availabilities/${id}`, 200);

describe("two patterns of a spot that overlap", () => {
  it("offer together what either offers", async () => {
    await patternOf(owner, morning());
    await patternOf(owner, afternoon());
    expect(await free()).toBe(days("08:00-20:00", 3, 4, 5));
  });

  it.each([
    ["first", "12:00-20:00"],
    ["second", "08:00-18:00"],
  ])("offer the other's hours on all of its days, once the %s is deleted", async (which, hours) => {
    const first = await patternOf(owner, morning());
    const second = await patternOf(owner, afternoon());
    await withdraw(which === "first" ? first : second);
    expect(await free()).toBe(days(hours, 3, 4, 5));
  });

  it("tell nobody once a day of what stands in their way", async () => {
    await setPatternDays(building, 5);
    await patternOf(owner, { ...morning(), last_day: null });
    await patternOf(owner, { ...afternoon(), last_day: null });
    for (const horizon of [6, 7, 8, 9, 10]) {
      await setPatternDays(building, horizon);
      await publishPatterns(building);
      await owner.put("/notifications", { is_read: true }, 200);
    }
    const { body } = await owner.get<{ total: number }>("/notifications", 200);
    expect(body.total).toBeLessThan(2);
    expect(await free()).toContain(days("08:00-20:00", 3, 4, 5, 6, 7, 8));
  });
});

describe("a window by hand in a day of a pattern", () => {
  it("leaves the rest of the day on offer", async () => {
    await byHand(4, "09:00", "10:00");
    await patternOf(owner, morning());
    expect(await free()).toBe(days("08:00-18:00", 3, 4, 5));
  });

  it("leaves all of the day on offer once it is deleted", async () => {
    const window = await byHand(4, "09:00", "10:00");
    await patternOf(owner, morning());
    await remove(window);
    expect(await free()).toBe(days("08:00-18:00", 3, 4, 5));
  });
});

describe("PUT of a pattern with the hours that it has", () => {
  const put = ({ id }: { readonly id: string }) =>
    owner.put(`/patterns/${id}`, { starts_at: "08:00", ends_at: "18:00" }, 200);

  it("changes no window", async () => {
    const pattern = await patternOf(owner, morning());
    const before = await shownOf(stranger, spot);
    await put(pattern);
    expect(await shownOf(stranger, spot)).toEqual(before);
  });

  it("leaves nothing out that was missing", async () => {
    const window = await byHand(4, "09:00", "10:00");
    const pattern = await patternOf(owner, morning());
    await remove(window);
    await put(pattern);
    expect(await free()).toBe(days("08:00-18:00", 3, 4, 5));
  });
});

describe("a claim in a window that its owner stopped sharing", () => {
  const eight = () => timesOn(3, "08:00", "18:00");

  it("frees nothing where the pattern was deleted", async () => {
    const pattern = await patternOf(owner, morning());
    const claim = await take(neighbour, spot, eight());
    await withdraw(pattern);
    await cancel(neighbour, claim);
    expect(await free()).toBe("");
    const again = { availability_id: claim?.availability_id, ...eight() };
    expect((await stranger.post("/claims", again)).status).toBeGreaterThanOrEqual(400);
    expect(await neighbour.get(`/claims/${claim?.id}`, 200)).toMatchObject({
      body: { claim: { status: "cancelled", availability_id: claim?.availability_id } },
    });
  });

  it("frees what the pattern shares still, where its hours were changed", async () => {
    const pattern = await patternOf(owner, morning());
    const claim = await take(neighbour, spot, eight());
    await owner.put(`/patterns/${pattern.id}`, { starts_at: "10:00", ends_at: "12:00" }, 200);
    expect(await free()).toBe(days("10:00-12:00", 4, 5));
    await cancel(neighbour, claim);
    expect(await free()).toBe(days("10:00-12:00", 3, 4, 5));
    expect(await take(stranger, spot, timesOn(3, "10:00", "12:00"))).toBeDefined();
  });

  it("frees nothing where an absence was ended", async () => {
    const away = await absence(owner, spot, eight());
    const claim = await take(neighbour, spot, eight());
    await end(owner, away);
    await cancel(neighbour, claim);
    expect(await free()).toBe("");
  });

  it("frees all of it where the owner still shares it", async () => {
    await patternOf(owner, morning());
    const claim = await take(neighbour, spot, eight());
    await cancel(neighbour, claim);
    expect(await free()).toBe(days("08:00-18:00", 3, 4, 5));
  });
});

describe("the daily job", () => {
  it("publishes up to the horizon of the building and rests", async () => {
    await setLimits(building, { horizon_days: 7 });
    await setPatternDays(building, 3);
    await patternOf(owner, { ...morning(), first_day: dayAfter(2), last_day: null });
    await setPatternDays(building, 28);
    await publishPatterns(building);
    // Also those that were taken back are counted.
    const inserted = async () => {
      await flushStatistics(building.service.pool);
      const [row] = await building.rows<{ count: string }>(
        `select pg_stat_get_tuples_inserted('parking.availabilities'::regclass) as count`,
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

  it("changes nothing the second time", async () => {
    await setPatternDays(building, 4);
    await patternOf(owner, { ...morning(), last_day: null });
    await patternOf(owner, { ...afternoon(), last_day: null });
    await keep(owner, spot, timesOn(4, "09:00", "13:00"));
    await setPatternDays(building, 9);
    await publishPatterns(building);
    const rows = await everything(building);
    await publishPatterns(building);
    expect(await everything(building)).toEqual(rows);
  });
});

describe("a preview", () => {
  it("says what of the pattern is then on offer", async () => {
    await byHand(4, "09:00", "10:00");
    await keep(owner, spot, timesOn(5, "00:00", "00:00", 1));
    const before = await everything(building);
    const previewed = await previewOf(owner, morning());
    expect(await everything(building)).toEqual(before);
    const published = previewed.filter(({ outcome }) => outcome === "published");

    const had = await shownOf(owner, spot);
    await patternOf(owner, morning());
    const made = (await shownOf(owner, spot)).filter(({ id }) => !had.some((it) => it.id === id));
    expect(joined(published)).toEqual(joined(made.flatMap(freeOf)));
  });
});

describe("weekdays of which none is between the first day and the last", () => {
  it("are refused", async () => {
    // From a Monday to a Friday.
    const monday = 3 + everyDay.findIndex((_, i) => new Date(dayAfter(3 + i)).getUTCDay() === 1);
    const body = {
      ...morning(),
      weekdays: ["SU"],
      first_day: dayAfter(monday),
      last_day: dayAfter(monday + 4),
    };
    await owner.post("/patterns", body, 400);
    await owner.post("/patterns/preview", body, 400);
    const pattern = await patternOf(owner, { ...body, weekdays: everyDay });
    await owner.put(`/patterns/${pattern.id}`, { weekdays: ["SU"] }, 400);
  });
});
