import { describe, expect, it } from "@jest/globals";
import "temporal-polyfill/global";
import { RRuleTemporal } from "rrule-temporal";
import { useBuilding } from "../support/building.ts";

const building = useBuilding();

interface Pattern {
  readonly weekdays: readonly string[];
  readonly starts_at: string;
  readonly ends_at: string;
}
interface Span {
  readonly day: string;
  readonly start_time: number;
  readonly end_time: number;
}

const WEEK = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
const everyDay = (starts_at: string, ends_at: string): Pattern => ({
  weekdays: WEEK,
  starts_at,
  ends_at,
});

const spansOf = (
  { weekdays, starts_at, ends_at }: Pattern,
  zone: string,
  first: string,
  last: string,
): Promise<Span[]> =>
  building.rows<{ day: string; start_time: number; end_time: number }>(
    `select day::text, (extract(epoch from start_time) * 1000)::float as start_time,
            (extract(epoch from end_time) * 1000)::float as end_time
       from private.pattern_spans($1, $2, $3, $4, $5, $6)
      order by day`,
    [weekdays, starts_at, ends_at, first, last, zone],
  );

/**
 * The same by another's hand. The days are those of a rule at noon, because RFC 5545 leaves out a day on
 * which the clock skips the start.
 */
function expectedSpans(
  { weekdays, starts_at, ends_at }: Pattern,
  zone: string,
  first: string,
  last: string,
): Span[] {
  const rule = new RRuleTemporal({
    rruleString: `DTSTART;TZID=${zone}:${first.replaceAll("-", "")}T120000
RRULE:FREQ=WEEKLY;BYDAY=${weekdays.join()};UNTIL=${last.replaceAll("-", "")}`,
  });
  return rule.all().map((noon) => {
    const day = noon.toPlainDate();
    const end = ends_at <= starts_at ? day.add({ days: 1 }) : day;
    const at = (date: typeof day, time: string): number => {
      const wall = date.toPlainDateTime(time);
      const read = wall.toZonedDateTime(zone, { disambiguation: "earlier" });
      if (read.toPlainDateTime().equals(wall)) return read.epochMilliseconds; // the first of two
      return read.getTimeZoneTransition("next")?.epochMilliseconds ?? Number.NaN;
    };
    return { day: day.toString(), start_time: at(day, starts_at), end_time: at(end, ends_at) };
  });
}

const PATTERNS: readonly Pattern[] = [
  { weekdays: ["MO", "TU", "WE", "TH", "FR"], starts_at: "08:00", ends_at: "18:00" },
  { weekdays: ["SU", "WE"], starts_at: "18:00", ends_at: "08:00" },
  { weekdays: ["SU"], starts_at: "02:30", ends_at: "03:00" },
  { weekdays: ["SA"], starts_at: "23:30", ends_at: "02:15" },
  everyDay("00:00", "00:00"),
  everyDay("01:45", "02:30"),
  everyDay("02:15", "02:15"),
];

// Whose clocks change by an hour, by half an hour, at midnight, not at all; in the north and the south.
const ZONES = [
  "UTC",
  "Europe/Berlin",
  "Europe/London",
  "Europe/Dublin",
  "America/New_York",
  "America/St_Johns",
  "America/Santiago",
  "America/Havana",
  "Atlantic/Azores",
  "Asia/Beirut",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Africa/Cairo",
  "Africa/Casablanca",
  "Australia/Lord_Howe",
  "Australia/Adelaide",
  "Pacific/Chatham",
  "Pacific/Auckland",
  "Pacific/Kiritimati",
  "Antarctica/Troll",
];

describe("private.pattern_spans", () => {
  it.each(ZONES)(
    "has the days and times that rrule-temporal has, over a year: %s",
    async (zone) => {
      for (const pattern of PATTERNS) {
        const [first, last] = ["2024-01-01", "2024-12-31"];
        expect(await spansOf(pattern, zone, first, last)).toEqual(
          expectedSpans(pattern, zone, first, last),
        );
      }
    },
  );

  const minutes = async (pattern: Pattern, zone: string, day: string): Promise<number> => {
    const [span] = await spansOf(pattern, zone, day, day);
    return ((span?.end_time ?? Number.NaN) - (span?.start_time ?? Number.NaN)) / 60_000;
  };

  it.each([
    // Forward from 2:00 to 3:00, and back from 3:00 to 2:00.
    ["Europe/Berlin", "2024-03-31", "01:30", "03:30", 60],
    ["Europe/Berlin", "2024-10-27", "01:30", "03:30", 180],
    ["Europe/Berlin", "2024-03-30", "18:00", "08:00", 13 * 60],
    ["Europe/Berlin", "2024-10-26", "18:00", "08:00", 15 * 60],
    // 2:30 is the moment of the change, or the first of two.
    ["Europe/Berlin", "2024-03-31", "02:30", "04:00", 60],
    ["Europe/Berlin", "2024-10-27", "02:30", "04:00", 150],
    ["Europe/Berlin", "2027-03-27", "20:00", "02:30", 6 * 60],
    // By half an hour: forward from 2:00 to 2:30, and back from 2:00 to 1:30.
    ["Australia/Lord_Howe", "2024-10-06", "01:45", "02:45", 30],
    ["Australia/Lord_Howe", "2024-04-07", "01:15", "02:15", 90],
    ["Australia/Lord_Howe", "2024-04-07", "01:45", "02:15", 60],
  ])("%s on %s, from %s to %s: %i minutes", async (zone, day, from, to, length) => {
    expect(await minutes(everyDay(from, to), zone, day)).toBe(length);
  });

  it.each([
    ["Europe/Berlin", "2024-03-31", "02:30", "03:00"],
    ["Europe/Berlin", "2024-03-31", "02:10", "02:50"],
    ["Australia/Lord_Howe", "2024-10-06", "02:15", "02:30"],
  ])("%s on %s: the clock swallows %s to %s", async (zone, day, from, to) => {
    expect(await minutes(everyDay(from, to), zone, day)).toBeLessThanOrEqual(0);
  });

  it.each([
    ["2024-01-02", "2024-01-01"],
    ["2024-01-01", null],
    [null, "2024-01-01"],
  ])("has no day from %s to %s", async (first, last) => {
    expect(
      await building.rows(
        "select * from private.pattern_spans($1, '08:00', '09:00', $2, $3, 'UTC')",
        [WEEK, first, last],
      ),
    ).toEqual([]);
  });
});
