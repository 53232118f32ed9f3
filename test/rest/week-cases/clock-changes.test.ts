import { beforeEach, expect, it } from "@jest/globals";
import { type Spot, spotOf, useBuilding } from "../../support/building.ts";
import { freeSpans } from "../../support/free-time.ts";
import { dayAfter, patternOf, setPatternDays, setZone } from "../../support/patterns.ts";
import type { Person } from "../../support/person.ts";

const building = useBuilding();
let owner: Person;
let spot: Spot;
beforeEach(async () => {
  await setPatternDays(building, 366);
  owner = await building.resident();
  spot = await spotOf(owner);
});

const MINUTE = 60_000;
const names = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];

/** How far ahead of UTC its clocks are at this time, in minutes. */
function offsetAt(zone: string, time: number): number {
  const parts = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
  const name = parts.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours, minutes] = /^GMT(.)(\d\d):(\d\d)$/.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (60 * Number(hours ?? 0) + Number(minutes ?? 0));
}

/** The next Sunday on which clocks are set, by so many minutes: in one of two zones it is within months. */
function nextChange(by: number) {
  for (let days = 4; days < 360; days++) {
    for (const zone of ["Europe/Berlin", "Australia/Sydney"]) {
      const midnight = Date.parse(dayAfter(days));
      const before = offsetAt(zone, midnight - 12 * 60 * MINUTE);
      if (offsetAt(zone, midnight + 12 * 60 * MINUTE) - before === by) {
        return { zone, days, instant: (hour: number) => midnight + (60 * hour - before) * MINUTE };
      }
    }
  }
  throw new Error("clocks are not set any more");
}

const oneDay = (days: number, starts_at: string, ends_at: string) => ({
  spot_id: spot.id,
  weekdays: [names[new Date(dayAfter(days)).getUTCDay()]],
  starts_at,
  ends_at,
  first_day: dayAfter(days),
  last_day: dayAfter(days),
});
const iso = (time: number) => new Date(time).toISOString();

it("a time that the clock repeats is the first of the two", async () => {
  const { zone, days, instant } = nextChange(-60);
  await setZone(building, zone);
  await patternOf(owner, oneDay(days, "02:30", "08:00"));
  // 08:00 is an hour later than the clock of the day before has it.
  expect(await freeSpans(owner, spot)).toEqual([
    { start_time: iso(instant(2.5)), end_time: iso(instant(9)) },
  ]);
});

it("a night that ends in the hour that the clock skips leaves the next morning on offer", async () => {
  const { zone, days, instant } = nextChange(60);
  await setZone(building, zone);
  const evening = await patternOf(owner, oneDay(days - 1, "20:00", "02:30"));
  expect(await freeSpans(owner, spot)).toEqual([
    { start_time: iso(instant(-4)), end_time: iso(instant(2)) },
  ]);
  await patternOf(owner, oneDay(days, "03:00", "08:00"));
  expect(await freeSpans(owner, spot)).toEqual([
    { start_time: iso(instant(-4)), end_time: iso(instant(7)) },
  ]);
  await owner.delete(`/patterns/${evening.id}`, 200);
  expect(await freeSpans(owner, spot)).toEqual([
    { start_time: iso(instant(2)), end_time: iso(instant(7)) },
  ]);
});
