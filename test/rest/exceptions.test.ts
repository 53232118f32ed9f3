import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { answerOf, refusal, refusalOf } from "../support/answers.ts";
import {
  type Claim,
  claimOf,
  hours,
  type Spot,
  spotOf,
  useBuilding,
  type Window,
  windowOf,
} from "../support/building.ts";
import { type Answered, except, expectOrder, offeredHours, undo } from "../support/exceptions.ts";
import {
  absence,
  cancel,
  freeTime,
  keep,
  shownOf,
  take,
  timesOn,
  windowOn,
} from "../support/free-time.ts";
import { setLimits, setSectionLimits } from "../support/limits.ts";
import { dayAfter, patternOf, threeDays } from "../support/patterns.ts";
import type { Person } from "../support/person.ts";
import { backdateStart, everything, stored } from "../support/rows.ts";

const building = useBuilding();
let owner: Person;
let neighbour: Person;
let spot: Spot;
beforeEach(async () => {
  [owner, neighbour] = [await building.resident(), await building.resident()];
  spot = await spotOf(owner);
});
afterEach(async () => {
  await setLimits(building, {});
  await building.rows("delete from parking.limits where building_section is not null");
  await expectOrder(building);
});

/** What is free, as the neighbour sees it by REST and by SQL: "3 08:00-10:00, 3 12:00-18:00". */
const free = (of = spot) => freeTime(neighbour, of);
const noon = timesOn(3, "10:00", "12:00");
const day = (from: string, to: string) => windowOn(owner, spot, timesOn(3, from, to));
/** Windows by hand, from and to these hours. */
const windows = async (...spans: readonly (readonly [from: number, to: number])[]) => {
  const made: Window[] = [];
  for (const [from, to] of spans) made.push(await windowOf(owner, spot, from, to));
  return made;
};
/** Withdraws by hand all that is on offer of the spot on this day. */
const withdrawAll = async (on: number) => {
  const { start_time, end_time } = timesOn(on, "00:00", "00:00", 1);
  for (const window of await shownOf(owner, spot))
    if (window.start_time < end_time && window.end_time > start_time)
      await owner.delete(`/availabilities/${window.id}`, 200);
};

it("answers with the exception, which its owner reads, until it is gone", async () => {
  const body = { spot_id: spot.id, kind: "keep", start_time: hours(10), end_time: hours(20) };
  const made = await owner.post<Answered>("/exceptions", body, 201);
  const { id } = made.body.exception;
  expect(made.body).toEqual({
    exception: { id, ...body, created_at: expect.any(String), updated_at: expect.any(String) },
    claims: [],
  });
  expect(made.headers.get("Location")).toBe(`/api/exceptions/${id}`);
  const read = await owner.get(`/exceptions/${id}`, 200);
  expect(read.body).toEqual(made.body);
  expect(read.headers.get("ETag")).toBe(made.headers.get("ETag"));
  const list = `/exceptions?spot_id=${spot.id}`;
  expect((await owner.get(list, 200)).body).toEqual({
    exceptions: [made.body.exception],
    total: 1,
  });
  expect((await undo(owner, made.body)).body).toEqual({
    message: "Exception deleted successfully",
    deleted_exception_id: id,
  });
  await owner.get(`/exceptions/${id}`, 404);
});

describe.each([
  ["by hand", () => day("08:00", "18:00")],
  [
    "of a pattern",
    async () => {
      await patternOf(owner, { ...threeDays(spot), last_day: dayAfter(3) });
      return (await shownOf(owner, spot))[0] as Window;
    },
  ],
])("a part of a window %s that its owner keeps", (_which, publish) => {
  const beside = "3 08:00-10:00, 3 12:00-18:00";

  it("is not free until it is on offer again; the window keeps its id and its times", async () => {
    const { id, start_time, end_time } = await publish();
    const whole = { id, start_time, end_time, is_claimed: false };
    const kept = await keep(owner, spot, noon);
    expect(await free()).toBe(beside);
    const spans = [timesOn(3, "08:00", "10:00"), timesOn(3, "12:00", "18:00")];
    for (const person of [owner, neighbour])
      expect(await shownOf(person, spot)).toMatchObject([{ ...whole, free: spans }]);
    await undo(owner, kept);
    const [shown] = await shownOf(neighbour, spot);
    expect(shown).toMatchObject(whole);
    expect(shown).not.toHaveProperty("free");
  });

  it("stays the claimer's who had claimed it, and is kept afterwards", async () => {
    await publish();
    const claim = await take(neighbour, spot, timesOn(3, "11:00", "13:00"));
    const kept = await keep(owner, spot, noon);
    expect(kept.claims).toMatchObject([{ id: claim?.id, status: "active" }]);
    await cancel(neighbour, claim);
    expect(await free()).toBe(beside);
    await undo(owner, kept);
    expect(await free()).toBe("3 08:00-18:00");
  });
});

describe("an exception of kind keep", () => {
  it("is about all own spots where it names none", async () => {
    const [second, foreign] = [await spotOf(owner), await spotOf(neighbour)];
    await windowOf(neighbour, foreign, 5, 15);
    for (const one of [spot, second]) await windowOf(owner, one, 5, 15);
    const { exception } = await except(owner, "keep", null, 1, 20);
    expect(exception.spot_id).toBeNull();
    for (const one of [spot, second]) expect(await offeredHours(owner, one)).toEqual([]);
    expect(await offeredHours(owner, foreign)).toEqual([[5, 15]]);
  });

  it("ends the free time of a window that has begun, also one that is to go on after it", async () => {
    const [window] = (await windows([5, 30])) as [Window];
    await backdateStart(building, window, hours(-30));
    await building.rows("select private.recount()");
    const { exception } = await except(owner, "keep", spot, -20, 20);
    expect(exception.start_time).toBe(hours(-20));
    const [past, ...others] = await offeredHours(owner, spot);
    expect(others).toEqual([[20, 30]]);
    expect(past?.[0]).toBe(-30);
    expect(Math.abs(Date.parse(hours(past?.[1] ?? 0)) - Date.now())).toBeLessThan(600_000);
    expect(await stored(building, "availabilities", window.id)).toMatchObject({
      start_time: new Date(hours(-30)),
      end_time: new Date(hours(30)),
    });
  });

  it("lists the claims in it by start, and has their time as soon as they end, and tells nobody", async () => {
    const [first, second, third, gone, outside] = (await windows(
      [5, 12],
      [13, 14],
      [18, 25],
      [15, 16],
      [30, 32],
    )) as [Window, Window, Window, Window, Window];
    const claims: Claim[] = [];
    for (const window of [third, second, first]) claims.unshift(await claimOf(neighbour, window));
    await cancel(neighbour, await claimOf(neighbour, gone));
    await claimOf(neighbour, outside);
    const made = await except(owner, "keep", spot, 10, 20);
    expect(made.claims).toEqual(claims);
    const read = await owner.get<Answered>(`/exceptions/${made.exception.id}`, 200);
    expect(read.body.claims).toEqual(claims);

    await cancel(neighbour, claims[0]);
    for (const { id } of claims.slice(1)) await neighbour.delete(`/claims/${id}`, 200);
    expect(await offeredHours(owner, spot)).toEqual([
      [5, 10],
      [20, 25],
    ]);
    const told = "select from parking.notifications where spot_id = $1 and kind like 'avail%'";
    expect(await building.rows(told, [spot.id])).toEqual([]);
    await undo(owner, made);
    expect(await offeredHours(owner, spot)).toEqual([
      [5, 12],
      [13, 14],
      [15, 16],
      [18, 25],
    ]);
  });

  it("hides a window that it keeps whole, also with a cancelled claim; nobody can claim it", async () => {
    const window = await day("08:00", "18:00");
    const claim = await take(neighbour, spot, window);
    await cancel(neighbour, claim);
    const kept = await keep(owner, spot, timesOn(3, "06:00", "20:00"));
    expect(await free()).toBe("");
    const { id, start_time, end_time } = window;
    await neighbour.get(`/availabilities/${id}`, 404);
    expect(await owner.get(`/availabilities/${id}`, 200)).toMatchObject({
      body: { availability: { start_time, end_time, is_claimed: false, free: [] } },
    });
    const again = { availability_id: id, start_time, end_time };
    expect(answerOf(await neighbour.post("/claims", again))).toEqual(
      refusal(404, "Availability not found"),
    );
    expect((await neighbour.get(`/claims/${claim?.id}`, 200)).body).toMatchObject({
      claim: { status: "cancelled", availability_id: id },
    });
    await undo(owner, kept);
    expect(await shownOf(neighbour, spot)).toMatchObject([{ id, start_time, end_time }]);
  });
});

describe("an exception of kind share", () => {
  it("publishes what is not on offer yet, and takes it back, but for what was claimed or moved", async () => {
    await windows([9, 10], [12, 13], [15, 16]);
    const made = await except(owner, "share", spot, 9, 20);
    const spans = await offeredHours(owner, spot);
    expect(spans).toEqual([
      [9, 10],
      [10, 12],
      [12, 13],
      [13, 15],
      [15, 16],
      [16, 20],
    ]);
    const shown = await shownOf(owner, spot);
    await claimOf(neighbour, shown[1] as Window);
    await owner.put(`/availabilities/${shown[5]?.id}`, { end_time: hours(21) }, 200);
    await undo(owner, made);
    expect(await offeredHours(owner, spot)).toEqual([
      [9, 10],
      [12, 13],
      [15, 16],
      [16, 21],
    ]);
  });

  it("publishes all own spots where it names none, from the next minutes on", async () => {
    const spots = [spot, await spotOf(owner)];
    const before = Date.now();
    const away = await except(owner, "share", null, -100, 20);
    const later = await spotOf(owner);
    for (const one of spots) {
      const shown = await shownOf(neighbour, one);
      expect(shown).toMatchObject([{ end_time: hours(20) }]);
      const start = Date.parse(shown[0]?.start_time ?? "");
      expect(start % 60_000).toBe(0);
      expect(start).toBeGreaterThan(before);
    }
    expect(await shownOf(neighbour, later)).toEqual([]);
    await undo(owner, away);
    expect(await shownOf(neighbour, spot)).toEqual([]);
  });

  it("is one window, which comes before a pattern whichever was first, until it ends", async () => {
    const first = await absence(owner, spot, timesOn(3, "06:00", "12:00"));
    const { id } = await patternOf(owner, threeDays(spot));
    const second = await absence(owner, spot, timesOn(4, "06:00", "20:00"));
    expect(await free()).toBe("3 06:00-18:00, 4 06:00-20:00, 5 08:00-18:00");
    expect(await take(neighbour, spot, timesOn(4, "07:00", "19:00"))).toBeDefined();
    for (const change of [{ ends_at: "10:00" }, { ends_at: "18:00" }]) {
      await owner.put(`/patterns/${id}`, change, 200);
      expect(await free()).toMatch(/^3 06:00-1/);
    }
    await undo(owner, first);
    await undo(owner, second);
    expect(await free()).toBe("3 08:00-18:00, 5 08:00-18:00");
  });

  it("stays withdrawn where its owner withdrew it by hand, whatever ends", async () => {
    const first = await absence(owner, spot, timesOn(3, "08:00", "16:00"));
    await absence(owner, spot, timesOn(3, "12:00", "20:00"));
    const { end_time } = timesOn(3, "08:00", "20:00");
    const evening = (await shownOf(owner, spot)).find((it) => it.end_time === end_time);
    await owner.delete(`/availabilities/${evening?.id}`, 200);
    expect(await free()).toBe("3 08:00-16:00");
    await undo(owner, await keep(owner, spot, timesOn(3, "15:00", "18:00")));
    expect(await free()).toBe("3 08:00-16:00");
    await undo(owner, first);
    expect(await free()).toBe("3 12:00-16:00");
  });

  it("leaves what a pattern shares where its own window was withdrawn by hand", async () => {
    await patternOf(owner, threeDays(spot));
    await absence(owner, spot, timesOn(4, "06:00", "20:00"));
    await withdrawAll(4);
    const shared = "3 08:00-18:00, 4 08:00-18:00, 5 08:00-18:00";
    expect(await free()).toBe(shared);
    await undo(owner, await keep(owner, spot, timesOn(4, "10:00", "12:00")));
    expect(await free()).toBe(shared);
  });

  it("is of windows as long as the building or the section allows, which somebody could claim", async () => {
    const guests = await spotOf(owner, "Guests");
    await windows([9, 10], [11, 12]);
    const limits = { longest_window_days: 1, shortest_claim_minutes: 120 };
    await setSectionLimits(building, "Guests", limits);
    await undo(owner, await except(owner, "share", spot, 12, 61));
    await except(owner, "share", guests, 10, 59);
    expect(await offeredHours(owner, guests)).toEqual([
      [10, 34],
      [34, 58],
    ]);
    await setLimits(building, limits);
    await except(owner, "share", spot, 10, 61);
    expect(await offeredHours(owner, spot)).toEqual([
      [9, 10],
      [11, 12],
      [12, 36],
      [36, 60],
    ]);
  });

  it("is refused as a whole where a window would end too far ahead", async () => {
    await setLimits(building, { horizon_days: 2 });
    const before = await everything(building);
    const body = { kind: "share", start_time: hours(10), end_time: hours(100) };
    expect(answerOf(await owner.post("/exceptions", body))).toEqual(
      refusalOf("end_time", 400, "The window ends further ahead than the building allows"),
    );
    expect(await everything(building)).toEqual(before);
  });

  it("leaves on offer what another shares, also where a limit of a section forbids it by then", async () => {
    const limited = await spotOf(owner, "Limited");
    const first = await except(owner, "share", null, 24, 60);
    await except(owner, "share", null, 48, 72);
    await setSectionLimits(building, "Limited", { horizon_days: 1 });
    await undo(owner, first);
    expect(await offeredHours(owner, limited)).toEqual([
      [48, 60],
      [60, 72],
    ]);
    expect(await offeredHours(owner, spot)).toEqual([[48, 72]]);
  });
});

it("an exception goes with its spot, and with the data of a person who is erased", async () => {
  await windows([5, 30]);
  const { exception } = await except(owner, "keep", spot, 10, 20);
  const all = await except(owner, "keep", null, 12, 60);
  await owner.delete(`/parking-spots/${spot.id}`, 200);
  await owner.get(`/exceptions/${exception.id}`, 404);
  await owner.get(`/exceptions/${all.exception.id}`, 200);

  spot = await spotOf(owner);
  const claim = await claimOf(neighbour, await windowOf(owner, spot, 62, 65));
  const administrator = await building.administrator();
  await administrator.delete(`/admin/profiles/${owner.id}?reason=left`, 200);
  const left = "select from parking.exceptions where owner_id = $1";
  expect(await building.rows(left, [owner.id])).toEqual([]);
  expect(await stored(building, "claims", claim.id)).toMatchObject({ status: "cancelled" });
});
