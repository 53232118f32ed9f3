import type { Availability, Pattern, Weekday } from "../../api/resources.ts";
import { spanOfRow } from "../../parts/free.ts";
import type { TypedSpan } from "../../parts/typed-span.ts";
import { addDays, dateOf, type Span, timeZone } from "../../time/zone.ts";

export const WEEKDAYS: readonly Weekday[] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/** 0 is Monday. */
export const weekdayOf = (date: string): number => (new Date(`${date}T00:00Z`).getUTCDay() + 6) % 7;

export interface WeeklyPlan {
  readonly firstDay: string;
  readonly lastDay: string;
  readonly weekdays: readonly Weekday[];
  readonly from: string;
  /** If it is not later than `from`, it is on the next day. */
  readonly until: string;
}

type Hours = Omit<Pattern, "created_at" | "published_until" | "updated_at">;

export const planOf = (pattern: Hours): WeeklyPlan => ({
  firstDay: pattern.first_day,
  lastDay: pattern.last_day ?? "",
  weekdays: pattern.weekdays,
  from: pattern.starts_at,
  until: pattern.ends_at,
});

export const bodyOf = ({ firstDay, lastDay, weekdays, from, until }: WeeklyPlan) => ({
  weekdays,
  starts_at: from,
  ends_at: until,
  first_day: firstDay,
  last_day: lastDay === "" ? null : lastDay,
});

interface Planned extends Span {
  readonly conflict?: "past" | "overlap";
}

/** Finds conflicts that the API would refuse. */
export function withConflict(span: Span, windows: readonly Availability[], now: number): Planned {
  if (span.start <= now) return { ...span, conflict: "past" };
  const overlaps = windows
    .map(spanOfRow)
    .some(({ start, end }) => start < span.end && end > span.start);
  return overlaps ? { ...span, conflict: "overlap" } : span;
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
  firstDay: tomorrow(now),
  lastDay: "",
  weekdays: WEEKDAYS.slice(0, 5),
  from: "08:00",
  until: "18:00",
});
