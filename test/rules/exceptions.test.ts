import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { hours, type Spot, spotOf, useBuilding, windowOf } from "../support/building.ts";
import * as doors from "../support/doors.ts";
import { except, expectOrder, offeredHours, undo } from "../support/exceptions.ts";
import { setLimits } from "../support/limits.ts";
import type { Person } from "../support/person.ts";
import { everything } from "../support/rows.ts";
import { changedWindows } from "./changed-windows.ts";
import { lastMoment } from "./periods.ts";
import { later, notGranted, refusedBy } from "./support.ts";

const building = useBuilding();
const ended = doors.doorsOf(building);
let owner: Person;
let stranger: Person;
let spot: Spot;
beforeEach(async () => {
  [owner, stranger] = [await building.resident(), await building.resident()];
  spot = await spotOf(owner);
});

/** One of the spot, or of all spots of its owner. */
const insert = (
  from: doors.Time = 10,
  to: doors.Time = 20,
  kind: string | null = "keep",
  of: Pick<Spot, "owner_id"> & { readonly id: string | null } = spot,
): doors.Act => {
  const [start_time, end_time] = [doors.at(from), doors.at(to)];
  return {
    request: ["POST", "/exceptions", { spot_id: of.id, kind, start_time, end_time }],
    sql: [
      `insert into parking.exceptions (spot_id, owner_id, kind, start_time, end_time)
       values ($1, $2, $3, $4, $5)`,
      [of.id, of.owner_id, kind, start_time, end_time],
    ],
  };
};
const ofAll = () => ({ id: null, owner_id: owner.id });
const aYear = later(hours(10), 366 * 24 * 3_600_000);

describe("the values of an exception", () => {
  it.each<
    [rule: string, cases: readonly [from: doors.Time, to: doors.Time, kind?: string | null][]]
  >([
    [
      "exceptions_start_before_end",
      [
        [10, 10],
        [10, 9],
      ],
    ],
    ["exceptions_end_in_future", [[-20, -2]]],
    ["exceptions_last_a_year_at_most", [[10, later(aYear, 1)]]],
    [
      "done",
      [
        [10, later(hours(10), 1)],
        [-20, 2],
        [10, aYear],
        [10, 20, "share"],
      ],
    ],
  ])("end with %s", async (rule, cases) => {
    for (const values of cases) expect(await ended(owner, insert(...values))).toBe(rule);
  });

  it.each<
    [rule: string, cases: readonly [from: doors.Time, to: doors.Time, kind?: string | null][]]
  >([
    ["exceptions_times_are_calendar_dates", [["9999-12-31T00:00:00Z", "10000-01-01T00:00:00Z"]]],
    // The rule of the year refuses an endless one first.
    [
      "exceptions_last_a_year_at_most",
      [
        ["9999-12-31T00:00:00Z", "infinity"],
        ["-infinity", 10],
      ],
    ],
    [
      "exceptions_kind_is_known",
      [
        [10, 20, "Keep"],
        [10, 20, ""],
        [10, 20, "away"],
      ],
    ],
    ["start_time", [[null, 20]]],
    ["end_time", [[10, null]]],
    ["kind", [[10, 20, null]]],
    ["done", [["9999-12-31T00:00:00Z", lastMoment]]],
  ])("by SQL alone, end with %s", async (rule, cases) => {
    for (const values of cases)
      expect(await ended(owner, doors.bySql(insert(...values)))).toBe(rule);
  });

  it("exceptions_withdrawn_times_are_calendar_dates: what is withdrawn has an end", async () => {
    await except(owner, "share", spot, 48, 50);
    const set = "update parking.exceptions set withdrawn = $2 where owner_id = $1";
    for (const times of ["{[2027-01-01,)}", "{(,2027-01-01)}"])
      await expect(building.rows(set, [owner.id, times])).rejects.toMatchObject(
        refusedBy("exceptions_withdrawn_times_are_calendar_dates"),
      );
    await building.rows(set, [owner.id, "{[2027-01-01,2027-01-02)}"]);
    expect(await owner.sqlError(set, [owner.id, "{}"])).toMatchObject(notGranted);
  });
});

describe("who makes and sees an exception", () => {
  it("is its owner alone, of their own spots", async () => {
    const own = await except(owner, "keep", null, 10, 11);
    const id = [own.exception.id];
    const [created, of] = ["exceptions_created_by_spot_owner", "exceptions_of_a_spot"];
    for (const person of [stranger, await building.administrator()]) {
      expect(await ended(person, insert())).toBe(created);
      expect(await ended(person, doors.bySql(insert(10, 20, "keep", ofAll())))).toBe(created);
      const forged = { ...spot, owner_id: person.id };
      expect(await ended(person, doors.bySql(insert(10, 20, "keep", forged)))).toBe(of);
    }
    expect(await ended(owner, insert(10, 20, "keep", { ...spot, id: randomUUID() }))).toBe(of);
    const nobody = insert(10, 20, "keep", { id: null, owner_id: randomUUID() }).sql;
    await expect(building.rows(...nobody)).rejects.toMatchObject(
      refusedBy("exceptions_made_by_a_resident", "23503"),
    );
    const change = "update parking.exceptions set end_time = now() where id = $1";
    expect(await owner.sqlError(change, id)).toMatchObject(notGranted);
  });

  it("locks nothing of another's spot", async () => {
    const { exception } = await except(owner, "keep", spot, 10, 20);
    const before = await everything(building);
    await stranger.sql("select private.lock_spots_of_exception($1)", [exception.id]);
    expect(await everything(building)).toEqual(before);
  });
});

describe("exceptions_change_1000_windows_at_most", () => {
  const rule = "exceptions_change_1000_windows_at_most";

  it("refuses one that keeps more, before it changes any", async () => {
    await building.rows(
      `insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
       select $1, $2, $3::timestamptz + n * interval '1 hour',
              $3::timestamptz + (n + 1) * interval '1 hour'
         from generate_series(1, 1001) n`,
      [spot.id, owner.id, hours(0)],
    );
    expect(await ended(owner, insert(0, 1002))).toBe(rule);
    expect(await ended(owner, insert(0, 1001))).toBe("done");
    expect(await offeredHours(stranger, spot)).toEqual([[1001, 1002]]);
  });

  it("refuses one that shares in more windows, of all spots together", async () => {
    for (let i = 0; i < 2; i++) await spotOf(owner);
    await setLimits(building, { longest_window_days: 1 });
    expect(await ended(owner, insert(1, 24 * 335, "share", ofAll()))).toBe(rule);
    await setLimits(building, {});
  });
});

it("exceptions_change_5000_windows_a_day_at_most: refuses one after as many today, and lets them go", async () => {
  await windowOf(owner, spot, 5, 30);
  await changedWindows(building, owner, 5_001, 1); // of the day before
  await changedWindows(building, owner, 4_999);
  const made = await except(owner, "keep", null, 10, 20); // changes one
  await undo(owner, made); // the second
  expect(await ended(owner, insert())).toBe("exceptions_change_5000_windows_a_day_at_most");
});

it("by direct SQL it keeps, shares and ends as the functions do", async () => {
  await windowOf(owner, spot, 5, 30);
  const [keep, share] = [insert(), insert(40, 50, "share", ofAll())];
  await owner.sql(...keep.sql);
  await owner.sql(...share.sql);
  const [before, after] = [
    [5, 10],
    [20, 30],
  ];
  expect(await offeredHours(owner, spot)).toEqual([before, after, [40, 50]]);
  await owner.sql("delete from parking.exceptions where kind = 'keep'");
  expect(await offeredHours(owner, spot)).toEqual([
    [5, 30],
    [40, 50],
  ]);
  await owner.sql("delete from parking.exceptions");
  expect(await offeredHours(owner, spot)).toEqual([[5, 30]]);
  await expectOrder(building);
});
