import { describe, expect, it } from "@jest/globals";
import { momentAt, snapOf } from "../../../src/web/screens/board/scale.ts";
import {
  addDays,
  dateOf,
  instantOf,
  isZone,
  setTimeZone,
  startOfDay,
  timeOf,
} from "../../../src/web/time/zone.ts";

const berlin = "Europe/Berlin";
const at = (iso: string): number => Date.parse(iso);

describe("times of the building", () => {
  it.each([
    ["2026-11-21T23:30:00Z", "2026-11-22", "00:30", berlin],
    ["2026-07-01T22:15:00Z", "2026-07-02", "00:15", berlin],
    ["2026-11-21T00:00:00Z", "2026-11-20", "14:00", "Pacific/Honolulu"],
    ["2026-11-21T00:00:00Z", "2026-11-21", "05:45", "Asia/Kathmandu"],
    ["2026-11-21T00:00:00Z", "2026-11-21", "00:00", "UTC"],
  ])("%s is %s %s in %s, and back", (iso, date, time, zone) => {
    expect([dateOf(at(iso), zone), timeOf(at(iso), zone)]).toEqual([date, time]);
    expect(instantOf(date, time, zone)).toBe(at(iso));
  });

  it("takes the first of a time that the clocks show twice", () => {
    expect(instantOf("2026-10-25", "02:30", berlin)).toBe(at("2026-10-25T00:30:00Z"));
  });

  it("takes a time that the clocks skip as the moment of the change", () => {
    for (const time of ["02:00", "02:30", "02:59"])
      expect(instantOf("2026-03-29", time, berlin)).toBe(at("2026-03-29T01:00:00Z"));
    expect(instantOf("2026-10-04", "02:20", "Australia/Lord_Howe")).toBe(
      at("2026-10-03T15:30:00Z"),
    );
  });

  it("has days of 23 and of 25 hours", () => {
    const hoursOf = (date: string) =>
      (startOfDay(addDays(date, 1), berlin) - startOfDay(date, berlin)) / 3_600_000;

    expect(["2026-03-29", "2026-03-30", "2026-10-25"].map(hoursOf)).toEqual([23, 24, 25]);
  });
});

describe("a zone that the browser does not know", () => {
  const offsets = [
    { since: "2026-01-01T00:00:00Z", minutes: 60 },
    { since: "2026-03-29T01:00:00Z", minutes: 120 },
    { since: "2026-10-25T01:00:00Z", minutes: 60 },
  ];

  it("has the times of the service's offsets", () => {
    expect([isZone("Mars/Olympus"), isZone(berlin)]).toEqual([false, true]);
    setTimeZone("Mars/Olympus", offsets);
    for (const [date, time] of [
      ["2026-02-01", "08:00"],
      ["2026-03-29", "02:30"],
      ["2026-07-01", "23:45"],
      ["2026-10-25", "02:30"],
      ["2026-12-24", "18:00"],
    ] as const) {
      const there = instantOf(date, time, "Mars/Olympus");
      expect([date, there]).toEqual([date, instantOf(date, time, berlin)]);
      expect(timeOf(there, "Mars/Olympus")).toBe(timeOf(there, berlin));
    }
    setTimeZone("UTC");
  });
});

describe("a place on the board", () => {
  it.each(["Asia/Kathmandu", berlin, "Pacific/Honolulu"])(
    "is a quarter of an hour on the clocks of %s, or half an hour where the board has several days",
    (zone) => {
      const [from, to] = ["2026-11-21", "2026-11-22"].map((day) => startOfDay(day, zone));
      const period = { start: from ?? 0, end: to ?? 0 };
      const times = (days: number) =>
        [0.101, 0.4, 0.55].map((share) => timeOf(momentAt(share, period, snapOf(days)), zone));
      expect(times(1)).toEqual(["02:30", "09:30", "13:15"]);
      expect(times(3)).toEqual(["02:30", "09:30", "13:00"]);
    },
  );
});
