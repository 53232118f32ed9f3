import type { Availability, Pattern, Weekday } from "../../api/resources.ts";
import { spanOfRow } from "../../parts/free.ts";
import type { Span } from "../../time/zone.ts";

/** In the order of the week. */
export const WEEKDAYS: readonly Weekday[] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/** 0 is Monday. */
export const weekdayOf = (date: string): number => (new Date(`${date}T00:00Z`).getUTCDay() + 6) % 7;

/** Hours that come again on some days of the week, as they are typed. */
export interface WeeklyPlan {
  readonly firstDay: string;
  /** Empty: until further notice. */
  readonly lastDay: string;
  readonly weekdays: readonly Weekday[];
  readonly from: string;
  /** Not later than `from`: on the next day. */
  readonly until: string;
}

export const planOf = (pattern: Pattern): WeeklyPlan => ({
  firstDay: pattern.first_day,
  lastDay: pattern.last_day ?? "",
  weekdays: pattern.weekdays,
  from: pattern.starts_at,
  until: pattern.ends_at,
});

/** The plan as the API takes it. */
export const bodyOf = ({ firstDay, lastDay, weekdays, from, until }: WeeklyPlan) => ({
  weekdays,
  starts_at: from,
  ends_at: until,
  first_day: firstDay,
  last_day: lastDay === "" ? null : lastDay,
});

export interface Planned extends Span {
  /** Why it cannot be shared. */
  readonly conflict?: "past" | "overlap";
}

/** Finds what the API would refuse. */
export function withConflict(span: Span, windows: readonly Availability[], now: number): Planned {
  if (span.start <= now) return { ...span, conflict: "past" };
  const overlaps = windows
    .map(spanOfRow)
    .some(({ start, end }) => start < span.end && end > span.start);
  return overlaps ? { ...span, conflict: "overlap" } : span;
}
