import type { Availability, Pattern, Weekday } from "../../api/resources.ts";
import { spanOfRow } from "../../parts/free.ts";
import type { TypedSpan } from "../../parts/typed-span.ts";
import { addDays, dateOf, type Span, startOfDay, timeZone } from "../../time/zone.ts";

export const WEEKDAYS: readonly Weekday[] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/** 0 is Monday. */
export const weekdayOf = (date: string): number => (new Date(`${date}T00:00Z`).getUTCDay() + 6) % 7;

/** If the hours do not end later than they start, they end on the next day. */
export type WeeklyPlan = Pick<
  Pattern,
  "weekdays" | "starts_at" | "ends_at" | "first_day" | "last_day"
>;

/** Without what else a pattern has. */
export const planOf = ({
  weekdays,
  starts_at,
  ends_at,
  first_day,
  last_day,
}: WeeklyPlan): WeeklyPlan => ({ weekdays, starts_at, ends_at, first_day, last_day });

interface Planned extends Span {
  readonly conflict?: "past" | "overlaps";
}

/** Finds conflicts that the API would refuse. */
export function withConflict(span: Span, windows: readonly Availability[], now: number): Planned {
  if (span.start <= now) return { ...span, conflict: "past" };
  const overlaps = windows
    .map(spanOfRow)
    .some(({ start, end }) => start < span.end && end > span.start);
  return overlaps ? { ...span, conflict: "overlaps" } : span;
}

const tomorrow = (now: number): string => addDays(dateOf(now, timeZone()), 1);

export function onceAtFirst(now: number): TypedSpan {
  const date = tomorrow(now);
  return { start: { date, time: "08:00" }, end: { date, time: "18:00" } };
}

export function daysAtFirst(now: number, days: number): TypedSpan {
  const date = tomorrow(now);
  return { start: { date, time: "00:00" }, end: { date: addDays(date, days), time: "00:00" } };
}

/** Office hours until further notice, starting tomorrow. */
export const weeklyAtFirst = (now: number): WeeklyPlan => ({
  weekdays: WEEKDAYS.slice(0, 5),
  starts_at: "08:00",
  ends_at: "18:00",
  first_day: tomorrow(now),
  last_day: null,
});

/** A day by the building's clock. It has 23 or 25 hours when the clock changes. */
export interface Day extends Span {
  readonly date: string;
}

export const mondayOf = (date: string): string => addDays(date, -weekdayOf(date));

export const daysOf = (first: string, zone: string): readonly Day[] =>
  [0, 1, 2, 3, 4, 5, 6].map((n) => ({
    date: addDays(first, n),
    start: startOfDay(addDays(first, n), zone),
    end: startOfDay(addDays(first, n + 1), zone),
  }));
