import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { hours, type Spot, spotOf, useBuilding, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { backdateStart, stored } from "../support/rows.ts";
import { emptyPeriods, firstMoment, lastMoment, periodsBeyondTheCalendar } from "./periods.ts";
import { insertWindow, later, missing, moveWindow, refusedBy, type Statement } from "./support.ts";

const building = useBuilding();
let owner: Person;
let spot: Spot;
beforeAll(async () => {
  owner = await building.resident();
});
beforeEach(async () => {
  spot = await spotOf(owner);
});

const windowsOnTheSpot = () =>
  building.rows<{ start_time: Date; end_time: Date }>(
    "select start_time, end_time from parking.availabilities where spot_id = $1 order by 1",
    [spot.id],
  );

/** Refused to the owner of the spot and to the owner of the database; no window changes. */
async function expectRefusal(statement: Statement, broken: object): Promise<void> {
  const before = await windowsOnTheSpot();
  expect(await owner.sqlError(...statement)).toMatchObject(broken);
  await expect(building.rows(...statement)).rejects.toMatchObject(broken);
  expect(await windowsOnTheSpot()).toEqual(before);
}

describe("availabilities_do_not_overlap", () => {
  const broken = refusedBy("availabilities_do_not_overlap", "23P01");
  const [start, end] = [hours(10), hours(14)];

  it.each([
    { what: "the same window", from: start, to: end },
    { what: "one inside", from: hours(11), to: hours(12) },
    { what: "one around", from: hours(9), to: hours(15) },
    { what: "one over the start", from: hours(9), to: hours(11) },
    { what: "one over the end", from: hours(13), to: hours(15) },
    { what: "one over the start by 1 ms", from: hours(9), to: later(start, 1) },
    { what: "one over the end by 1 ms", from: later(end, -1), to: hours(15) },
    { what: "1 ms of it", from: hours(12), to: later(hours(12), 1) },
  ])("refuses $what", async ({ from, to }) => {
    await windowOf(owner, spot, 10, 14);
    const other = await windowOf(owner, spot, 20, 24);

    await expectRefusal(insertWindow(spot, from, to), broken);
    await expectRefusal(moveWindow(other, from, to), broken);
  });

  it.each([
    { what: "one back to back before", from: hours(9), to: start },
    { what: "one back to back after", from: end, to: hours(15) },
    { what: "1 ms before", from: later(start, -1), to: start },
    { what: "1 ms after", from: end, to: later(end, 1) },
  ])("accepts $what", async ({ from, to }) => {
    await windowOf(owner, spot, 10, 14);
    const other = await windowOf(owner, spot, 20, 24);

    await owner.sql(...insertWindow(spot, from, to));
    await owner.sql(...moveWindow(other, hours(24), hours(25)));

    expect(await windowsOnTheSpot()).toHaveLength(3);
  });

  it("accepts the same window on another spot", async () => {
    await windowOf(owner, spot, 10, 14);
    const another = await spotOf(owner);
    const result = await owner.sql(...insertWindow(another, start, end));
    expect(result.rowCount).toBe(1);
  });

  it("lets a window move to times that overlap its old ones", async () => {
    const window = await windowOf(owner, spot, 10, 14);
    await owner.sql(...moveWindow(window, hours(11), hours(15)));
    expect(await windowsOnTheSpot()).toEqual([
      { start_time: new Date(hours(11)), end_time: new Date(hours(15)) },
    ]);
  });

  it("refuses two that overlap each other in one statement", async () => {
    const both: Statement = [
      `insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
       values ($1, $2, $3, $5), ($1, $2, $4, $5)`,
      [spot.id, owner.id, start, hours(11), end],
    ];
    await expectRefusal(both, broken);
  });
});

describe("availabilities_start_before_end", () => {
  const broken = refusedBy("availabilities_start_before_end");
  const start = hours(2);

  it.each(emptyPeriods)("refuses $what", async ({ from, to }) => {
    const window = await windowOf(owner, spot, 10, 14);
    await expectRefusal(insertWindow(spot, from, to), broken);
    await expectRefusal(moveWindow(window, from, to), broken);
  });

  it.each(["infinity", "-infinity"])("refuses one from %s to itself", async (unbounded) => {
    await expectRefusal(insertWindow(spot, unbounded, unbounded), broken);
  });

  it("accepts a window of 1 ms", async () => {
    await owner.sql(...insertWindow(spot, start, later(start, 1)));
    expect(await windowsOnTheSpot()).toEqual([
      { start_time: new Date(start), end_time: new Date(later(start, 1)) },
    ]);
  });

  it("still requires both times", async () => {
    await expectRefusal(insertWindow(spot, null, hours(2)), missing("start_time"));
    await expectRefusal(insertWindow(spot, hours(1), null), missing("end_time"));
    const window = await windowOf(owner, spot, 10, 14);
    await expectRefusal(moveWindow(window, null, hours(14)), missing("start_time"));
    await expectRefusal(moveWindow(window, hours(10), null), missing("end_time"));
  });
});

describe("availabilities_times_are_calendar_dates", () => {
  const broken = refusedBy("availabilities_times_are_calendar_dates");

  it.each(periodsBeyondTheCalendar)("refuses $what", async ({ from, to }) => {
    const window = await windowOf(owner, spot, 10, 14);
    await expectRefusal(insertWindow(spot, from, to), broken);
    await expectRefusal(moveWindow(window, from, to), broken);
  });

  it("accepts a window to the last moment of the year 9999", async () => {
    await owner.sql(...insertWindow(spot, hours(1), lastMoment));
    expect(await windowsOnTheSpot()).toMatchObject([{ end_time: new Date(lastMoment) }]);
  });

  it("does not refuse the first moment of the year 1, unlike another rule", async () => {
    const fromTheFirst = insertWindow(spot, firstMoment, hours(1));
    const past = refusedBy("availabilities_start_in_future");
    expect(await owner.sqlError(...fromTheFirst)).toMatchObject(past);
  });
});

describe("availabilities_start_in_future", () => {
  const broken = refusedBy("availabilities_start_in_future");

  it("refuses a start in the past", async () => {
    await expectRefusal(insertWindow(spot, hours(-2), hours(2)), broken);
  });

  it.each([
    { what: "the present millisecond", start: "date_trunc('ms', clock_timestamp())", pause: 0 },
    {
      what: "a start that passes while the statement runs",
      start: "now() + interval '20 ms'",
      pause: 0.05,
    },
  ])("refuses $what", async ({ start, pause }) => {
    const insert: Statement = [
      `insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
       select $1, $2, ${start}, $3 from pg_sleep($4)`,
      [spot.id, owner.id, hours(2), pause],
    ];
    await expectRefusal(insert, broken);
  });

  it("accepts a start a minute ahead", async () => {
    await owner.sql(
      `insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
       values ($1, $2, clock_timestamp() + interval '1 minute', $3)`,
      [spot.id, owner.id, hours(2)],
    );
    expect(await windowsOnTheSpot()).toHaveLength(1);
  });

  it("refuses to move a start into the past", async () => {
    const window = await windowOf(owner, spot, 1, 5);
    await expectRefusal(moveWindow(window, hours(-2), hours(5)), broken);
  });

  describe("once the start has passed", () => {
    const passed = hours(-10);
    const openWindow = async () => {
      const window = await windowOf(owner, spot, 1, 5);
      await backdateStart(building, window, passed);
      return window;
    };

    it.each([
      { what: "later", start: hours(-9) },
      { what: "earlier", start: hours(-11) },
      { what: "1 ms later", start: later(passed, 1) },
    ])("refuses to move it $what within the past", async ({ start }) => {
      await expectRefusal(moveWindow(await openWindow(), start, hours(5)), broken);
    });

    it("lets it stay while the end changes", async () => {
      const window = await openWindow();
      await owner.sql(...moveWindow(window, passed, hours(6)));
      expect(await stored(building, "availabilities", window.id)).toMatchObject({
        start_time: new Date(passed),
        end_time: new Date(hours(6)),
      });
    });

    it("lets it move to the future", async () => {
      const window = await openWindow();
      await owner.sql(...moveWindow(window, hours(2), hours(5)));
      expect(await stored(building, "availabilities", window.id)).toMatchObject({
        start_time: new Date(hours(2)),
      });
    });
  });
});
