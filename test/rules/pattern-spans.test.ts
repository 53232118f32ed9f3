import { expect, it } from "@jest/globals";
import "temporal-polyfill/global";
import { RRuleTemporal } from "rrule-temporal";
import { Temporal } from "temporal-polyfill";
import { spotOf, useBuilding } from "../support/building.ts";
import { freeSpans } from "../support/free-time.ts";
import { everyDay, patternOf, setPatternDays, setZone } from "../support/patterns.ts";

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

const daily = (starts_at: string, ends_at: string) => ({ weekdays: everyDay, starts_at, ends_at });

const spansOf = (
  { weekdays, starts_at, ends_at }: Pattern,
  zone: string,
  first: string | null,
  last: string | null,
): Promise<Span[]> =>
  building.rows<{ day: string; start_time: number; end_time: number }>(
    `select day::text, (extract(epoch from start_time) * 1000)::float as start_time,
            (extract(epoch from end_time) * 1000)::float as end_time
       from private.pattern_spans($1, $2, $3, $4, $5, $6)
      order by day`,
    [weekdays, starts_at, ends_at, first, last, zone],
  );

/** The moment of a wall time: the first of two, or where the clock skips it, the change. */
function momentOf(wall: Temporal.PlainDateTime, zone: string): number {
  const read = wall.toZonedDateTime(zone, { disambiguation: "earlier" });
  if (read.toPlainDateTime().equals(wall)) return read.epochMilliseconds;
  return read.getTimeZoneTransition("next")?.epochMilliseconds ?? Number.NaN;
}

/**
 * The same by another's hand. The days are those of a rule at noon, because RFC 5545 leaves out a day on
 * which the clock skips the start.
 */
function expectedSpans(pattern: Pattern, zone: string, first: string, last: string): Span[] {
  const { weekdays, starts_at, ends_at } = pattern;
  const rule = new RRuleTemporal({
    rruleString: `DTSTART;TZID=${zone}:${first.replaceAll("-", "")}T120000
RRULE:FREQ=WEEKLY;BYDAY=${weekdays.join()};UNTIL=${last.replaceAll("-", "")}`,
  });
  return rule.all().map((noon) => {
    const day = noon.toPlainDate();
    const end = ends_at <= starts_at ? day.add({ days: 1 }) : day;
    return {
      day: day.toString(),
      start_time: momentOf(day.toPlainDateTime(starts_at), zone),
      end_time: momentOf(end.toPlainDateTime(ends_at), zone),
    };
  });
}

const PATTERNS: readonly Pattern[] = [
  { weekdays: ["MO", "TU", "WE", "TH", "FR"], starts_at: "08:00", ends_at: "18:00" },
  { weekdays: ["SU", "WE"], starts_at: "18:00", ends_at: "08:00" },
  { weekdays: ["SU"], starts_at: "02:30", ends_at: "03:00" },
  { weekdays: ["SA"], starts_at: "23:30", ends_at: "02:15" },
  daily("00:00", "00:00"),
  daily("01:45", "02:30"),
  daily("02:15", "02:15"),
];

// Clocks change by an hour, by half an hour, at midnight, or not at all; in the north and the south.
const ZONES = `UTC Europe/Berlin Europe/London Europe/Dublin America/New_York America/St_Johns
  America/Santiago America/Havana Atlantic/Azores Asia/Beirut Asia/Kolkata Asia/Kathmandu Africa/Cairo
  Africa/Casablanca Australia/Lord_Howe Australia/Adelaide Pacific/Chatham Pacific/Auckland
  Pacific/Kiritimati Antarctica/Troll`.split(/\s+/);

it.each(ZONES)("a pattern has the days and times that rrule-temporal has: %s", async (zone) => {
  for (const pattern of PATTERNS) {
    const [first, last] = ["2024-01-01", "2024-12-31"];
    expect(await spansOf(pattern, zone, first, last)).toEqual(
      expectedSpans(pattern, zone, first, last),
    );
  }
});

it.each([
  // Forward from 2:00 to 3:00, and back from 3:00 to 2:00.
  ["Europe/Berlin", "2024-03-31", "01:30", "03:30", 60],
  ["Europe/Berlin", "2024-10-27", "01:30", "03:30", 180],
  ["Europe/Berlin", "2024-10-26", "18:00", "08:00", 15 * 60],
  // 2:30 is the moment of the change, or the first of two.
  ["Europe/Berlin", "2024-10-27", "02:30", "04:00", 150],
  ["Europe/Berlin", "2027-03-27", "20:00", "02:30", 6 * 60],
  ["Europe/Berlin", "2024-03-31", "02:10", "02:50", 0],
  // By half an hour: forward from 2:00 to 2:30, and back from 2:00 to 1:30.
  ["Australia/Lord_Howe", "2024-10-06", "01:45", "02:45", 30],
  ["Australia/Lord_Howe", "2024-04-07", "01:15", "02:15", 90],
])("%s on %s, from %s to %s: %i minutes", async (zone, day, from, to, length) => {
  const [span] = await spansOf(daily(from, to), zone, day, day);
  expect(((span?.end_time ?? Number.NaN) - (span?.start_time ?? Number.NaN)) / 60_000).toBe(length);
});

it.each([
  ["2024-01-02", "2024-01-01"],
  ["2024-01-01", null],
  [null, "2024-01-01"],
])("a pattern has no day from %s to %s", async (first, last) => {
  expect(await spansOf(daily("08:00", "09:00"), "UTC", first, last)).toEqual([]);
});

/** The next Sunday on which clocks go this way: in one of two zones it is within months. */
function nextChange(way: string): { readonly zone: string; readonly sunday: Temporal.PlainDate } {
  const changes = ["Europe/Berlin", "Australia/Sydney"].flatMap((zone) => {
    const isSought = (at: Temporal.ZonedDateTime) =>
      at.offsetNanoseconds > at.subtract({ seconds: 1 }).offsetNanoseconds === (way === "forward");
    const soon = Temporal.Now.zonedDateTimeISO(zone).add({ days: 3 }).getTimeZoneTransition("next");
    const change = soon && (isSought(soon) ? soon : soon.getTimeZoneTransition("next"));
    return change ? [{ zone, sunday: change.toPlainDate() }] : [];
  });
  const [first] = changes.toSorted((a, b) => Temporal.PlainDate.compare(a.sunday, b.sunday));
  if (!first) throw new Error("clocks are not set any more");
  return first;
}

it.each([
  // A night that ends in the hour that the clock skips leaves the next morning on offer.
  ["forward", "20:00", "02:30", "03:00", "08:00", 11],
  // A time that the clock repeats is the first of the two.
  ["back", "20:00", "02:00", "02:30", "08:00", 12.5],
])(
  "windows are published on the day on which clocks go %s",
  async (way, from, to, next, end, hours) => {
    const { zone, sunday } = nextChange(way);
    await setZone(building, zone);
    await setPatternDays(building, 366);
    const owner = await building.resident();
    const spot = await spotOf(owner);
    const on = (day: Temporal.PlainDate, starts_at: string, ends_at: string) => {
      const days = { first_day: day.toString(), last_day: day.toString() };
      return patternOf(owner, { spot_id: spot.id, ...daily(starts_at, ends_at), ...days });
    };
    await on(sunday.subtract({ days: 1 }), from, to);
    await on(sunday, next, end);
    const length = (await freeSpans(owner, spot)).map(
      ({ start_time, end_time }) => (Date.parse(end_time) - Date.parse(start_time)) / 3_600_000,
    );
    expect(length.reduce((sum, it) => sum + it, 0)).toBe(hours);
    expect(length).toHaveLength(way === "forward" ? 1 : 2);
  },
);
