import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "@jest/globals";
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
import * as doors from "../support/doors.ts";
import { except, expectOrder, undo } from "../support/exceptions.ts";
import { type Limits, setLimits } from "../support/limits.ts";
import { patternOf, threeDays, windowsOf } from "../support/patterns.ts";
import { backdateStart, stored } from "../support/rows.ts";
import { emptyPeriods, firstMoment, lastMoment, periodsBeyondTheCalendar } from "./periods.ts";
import { layoutOf } from "./rest.ts";
import { later, refusedBy } from "./support.ts";

const building = useBuilding();
const ended = doors.doorsOf(building);
const owner = building.shared("resident");
const neighbour = building.shared("resident");
/** It has a window from hour 10 to 14, and one from 20 to 24. */
let spot: Spot;
let window: Window;
let other: Window;
beforeEach(async () => {
  spot = await spotOf(owner);
  [window, other] = [await windowOf(owner, spot, 10, 14), await windowOf(owner, spot, 20, 24)];
});

/** How it ends to give the second window these times, and to publish a third with them. */
async function endOf(from: doors.Time, to: doors.Time, isSql = false): Promise<string> {
  const said = isSql ? doors.bySql : (act: doors.Act) => act;
  const moved = await ended(owner, said(doors.move(other, from, to)));
  if (moved === "done") await owner.delete(`/availabilities/${other.id}`, 200);
  expect(await ended(owner, said(doors.publish(spot, from, to)))).toBe(moved);
  return moved;
}

describe("availabilities_do_not_overlap", () => {
  const overlaps = "availabilities_do_not_overlap";
  it.each([
    ["the same", 10, 14, overlaps],
    ["inside", 11, 12, overlaps],
    ["around", 9, 15, overlaps],
    ["over the start", 9, 11, overlaps],
    ["over the end", 13, 15, overlaps],
    ["over the start by 1 ms", 9, later(hours(10), 1), overlaps],
    ["over the end by 1 ms", later(hours(14), -1), 15, overlaps],
    ["1 ms of it", 12, later(hours(12), 1), overlaps],
    ["right before it", 9, 10, "done"],
    ["right after it", 14, 15, "done"],
    ["1 ms before it", later(hours(10), -1), 10, "done"],
    ["apart from it", 30, 31, "done"],
  ])("decides about times that are %s", async (_where, from, to, end) => {
    expect(await endOf(from, to)).toBe(end);
  });

  it("lets a window move over its old times, and other spots have the same", async () => {
    expect(await ended(owner, doors.move(window, 11, 15))).toBe("done");
    expect(await ended(owner, doors.publish(await spotOf(owner), 11, 15))).toBe("done");
  });

  it("counts a window that has begun, and two of one statement", async () => {
    await backdateStart(building, window, hours(-2));
    expect(await endOf(8, 12)).toBe(overlaps);
    const { sql } = doors.publish(spot, 30, 32);
    const two = `${sql[0]}, ($1, $2, $3, $4)`;
    expect(await ended(owner, { sql: [two, sql[1]] })).toBe(overlaps);
  });
});

describe("the order of the times", () => {
  it.each(emptyPeriods)("availabilities_start_before_end: refuses $what", async ({ from, to }) => {
    expect(await endOf(from, to, to === "-infinity")).toBe("availabilities_start_before_end");
  });

  it.each(periodsBeyondTheCalendar)(
    "availabilities_times_are_calendar_dates: refuses $what",
    async ({ from, to }) => {
      expect(await endOf(from, to, true)).toBe("availabilities_times_are_calendar_dates");
    },
  );

  it("allows 1 ms, and to the last moment of the year 9999; and requires both times", async () => {
    expect(await endOf(2, later(hours(2), 1))).toBe("done");
    expect(await ended(owner, doors.publish(spot, 30, lastMoment))).toBe("done");
    expect(await ended(owner, doors.bySql(doors.move(window, null, 2)))).toBe("start_time");
    expect(await ended(owner, doors.bySql(doors.publish(spot, 1, null)))).toBe("end_time");
  });
});

describe("availabilities_start_in_future", () => {
  const past = "availabilities_start_in_future";
  it("refuses what has passed, also while the statement runs, and no later time", async () => {
    expect(await endOf(-2, 2)).toBe(past);
    expect(await ended(owner, doors.bySql(doors.publish(spot, firstMoment, 2)))).toBe(past);
    const startingAt = (start: string, pause: number) => ({
      sql: [
        `insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
         select $1, $2, ${start}, $3 from pg_sleep($4)`,
        [spot.id, owner.id, hours(2), pause],
      ] as const,
    });
    for (const [start, pause, end] of [
      ["date_trunc('ms', clock_timestamp())", 0, past],
      ["now() + interval '20 ms'", 0.05, past],
      ["clock_timestamp() + interval '1 minute'", 0, "done"],
    ] as const)
      expect(await ended(owner, { sql: startingAt(start, pause).sql })).toBe(end);
  });

  it.each([
    ["later within the past", -9, 14, past],
    ["earlier", -11, 14, past],
    ["1 ms later", later(hours(-10), 1), 14, past],
    ["nowhere, while the end moves", -10, 15, "done"],
    ["to the future", 2, 14, "done"],
  ])("decides about a start that has passed and moves %s", async (_where, from, to, end) => {
    await backdateStart(building, window, hours(-10));
    expect(await ended(owner, doors.move(window, from, to))).toBe(end);
  });
});

describe("a window with a claim", () => {
  const [kept, stays] = [
    "availabilities_claimed_are_not_updated",
    "availabilities_claimed_are_not_deleted",
  ];
  let claim: Claim;
  beforeEach(async () => {
    claim = await claimOf(neighbour, window);
  });
  const close = (status: string) => neighbour.put(`/claims/${claim.id}`, { status }, 200);

  it.each(["active", "completed"])("that is %s is neither changed nor deleted", async (status) => {
    await close(status);
    for (const [from, to] of [
      [10, 13],
      [9, 14],
      [10, 14],
    ] as const)
      expect(await ended(owner, doors.move(window, from, to))).toBe(kept);
    expect(await ended(owner, doors.remove(window))).toBe(stays);
    expect(await ended(owner, doors.remove(other))).toBe("done");
    const { body } = await owner.put(`/availabilities/${window.id}`, {}, 200);
    expect(body).toMatchObject({ availability: { id: window.id, is_claimed: true } });
  });

  it("is free to move once it is cancelled, and to go, and the claim stays", async () => {
    await close("cancelled");
    expect(await ended(owner, doors.move(window, 30, later(hours(30), 1)))).toBe("done");
    expect(await ended(owner, doors.remove(window))).toBe("done");
    expect(await stored(building, "claims", claim.id)).toMatchObject({
      availability_id: window.id,
      status: "cancelled",
    });
  });
});

describe("the limits of the building", () => {
  const day = 86_400_000;
  type Times = readonly [from: doors.Time, to: doors.Time];
  it.each<[string, Partial<Limits>, allowed: Times, refused: Times]>([
    [
      "availabilities_no_longer_than_allowed",
      { longest_window_days: 1 },
      [30, later(hours(30), day)],
      [30, later(hours(30), day + 1)],
    ],
    ["availabilities_within_horizon", { horizon_days: 2 }, [30, 40], [30, 60]],
  ])("%s binds new times, not what is there", async (rule, limits, allowed, refused) => {
    const old = await spotOf(owner);
    expect(await ended(owner, doors.publish(old, ...refused))).toBe("done");
    const [before] = await windowsOf(owner, old);
    await setLimits(building, limits);
    expect(await endOf(...refused)).toBe(rule);
    expect(await endOf(...allowed)).toBe("done");

    expect(await ended(owner, doors.move(before as Window, ...refused))).toBe("done");
    const claim = await claimOf(neighbour, { ...(before as Window), ...{ end_time: hours(40) } });
    await neighbour.delete(`/claims/${claim.id}`, 200);
    expect(await ended(owner, doors.remove(before as Window))).toBe("done");
    await setLimits(building, {});
  });

  it("count the days of the building's calendar", async () => {
    await building.rows("update parking.building set time_zone = 'Europe/Berlin'");
    await setLimits(building, { longest_window_days: 1 });
    // The clocks of the 28th of October 2035 go back: it has 25 hours.
    const [midnight, next] = ["2035-10-27T22:00:00Z", "2035-10-28T23:00:00Z"];
    const rule = "availabilities_no_longer_than_allowed";
    expect(await ended(owner, doors.publish(spot, midnight, later(next, 1)))).toBe(rule);
    expect(await ended(owner, doors.publish(spot, midnight, next))).toBe("done");
    await building.rows("update parking.building set time_zone = 'UTC'");
    await setLimits(building, {});
  });
});

describe("availabilities_of_a_spot", () => {
  it("refuses a spot that is not there, and another's with a forged owner", async () => {
    const nowhere = { ...spot, id: randomUUID() };
    expect(await ended(owner, doors.publish(nowhere, 1, 2))).toBe("availabilities_of_a_spot");
    const forged = doors.publish({ ...spot, owner_id: neighbour.id }, 1, 2);
    expect(await ended(neighbour, doors.bySql(forged))).toBe("availabilities_of_a_spot");
    for (const missing of ["spot_id", "owner_id"]) {
      const [text, values] = doors.publish(spot, 1, 2).sql;
      const given = values.map((value, i) =>
        ["spot_id", "owner_id"][i] === missing ? null : value,
      );
      await expect(building.rows(text, given)).rejects.toMatchObject({ column: missing });
    }
  });
});

describe("availabilities_published_by_a_pattern", () => {
  it("refuses a pattern of another spot, and lets a claimed window outlive its own", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    const insert = `insert into parking.availabilities
                      (spot_id, owner_id, start_time, end_time, pattern_id)
                    values ($1, $2, $3, $4, $5)`;
    const values = [(await spotOf(owner)).id, owner.id, hours(1), hours(2), pattern.id];
    const refused = refusedBy("availabilities_published_by_a_pattern", "23503");
    expect(await owner.sqlError(insert, values)).toMatchObject(refused);

    const published = (await windowsOf(owner, spot)).find((it) => it.pattern_id) as Window;
    await claimOf(neighbour, published);
    await owner.sql("delete from parking.patterns where id = $1", [pattern.id]);
    expect(await stored(building, "availabilities", published.id)).toMatchObject({
      pattern_id: null,
      is_claimed: true,
    });
  });
});

describe("availabilities_offered_within_window", () => {
  it("lets a part of a window, or nothing of it, be offered, by functions alone", async () => {
    const set = "update parking.availabilities set offered = $2 where id = $1";
    for (const offered of [`{[${hours(11)},${hours(12)})}`, "{}", null])
      await building.rows(set, [window.id, offered]);
    const beyond = `{[${hours(13)},${hours(15)})}`;
    await expect(building.rows(set, [window.id, beyond])).rejects.toMatchObject(
      refusedBy("availabilities_offered_within_window"),
    );
    expect(await owner.sqlError(set, [window.id, "{}"])).toMatchObject({ code: "42501" });
  });
});

describe("a window that its owner keeps", () => {
  beforeEach(async () => {
    await building.rows("select private.recount()"); // others have begun without their triggers
    await owner.delete(`/availabilities/${other.id}`, 200);
  });

  it.each([
    ["away from the kept time", 30, 34, "30-34 free"],
    ["partly into it", 12, 18, "16-18 free"],
    ["to an end before it", 9, 12, "9-12 free"],
  ])("in part is free where nothing is kept, once it moves %s", async (_where, from, to, free) => {
    await except(owner, "keep", spot, 12, 16);
    expect(await layoutOf(building, window)).toBe("10-12 free");
    expect(await ended(owner, doors.move(window, from, to))).toBe("done");
    expect(await layoutOf(building, window)).toBe(free);
    await expectOrder(building);
    expect(await ended(neighbour, doors.claim(window, to - 1, to))).toBe("done");
  });

  it("whole is shown to its owner alone, and counted for nobody else, until it moves", async () => {
    const kept = await except(owner, "keep", spot, 9, 15);
    const list = `/availabilities?spot_id=${spot.id}`;
    expect((await owner.get(list, 200)).body).toMatchObject({
      availabilities: [{ id: window.id, is_claimed: false, free: [] }],
      total: 1,
    });
    for (const person of [neighbour, await building.administrator()]) {
      expect((await person.get(list, 200)).body).toEqual({ availabilities: [], total: 0 });
      await person.get(`/availabilities/${window.id}`, 404);
      const sql = "select from parking.availabilities where id = $1";
      expect((await person.sql(sql, [window.id])).rowCount).toBe(0);
    }
    await expectOrder(building);
    expect(await ended(owner, doors.move(window, 30, 34))).toBe("done");
    await neighbour.get(`/availabilities/${window.id}`, 200);
    await undo(owner, kept);
  });
});
