import type { Availability } from "../../api/resources.ts";
import type { Span } from "../../time/zone.ts";
import { addDays, instantOf } from "../../time/zone.ts";

/** Hours that come again on some days of the week. */
export interface WeeklyPlan {
  readonly firstDay: string;
  readonly lastDay: string;
  /** 0 is Monday. */
  readonly weekdays: readonly number[];
  readonly from: string;
  /** Not later than `from`: on the next day. */
  readonly until: string;
}

/** More windows at once are most likely a mistake. */
const MOST_WINDOWS = 100;

/** 0 is Monday. */
export const weekdayOf = (date: string): number => (new Date(`${date}T00:00Z`).getUTCDay() + 6) % 7;

/** The windows that the plan makes, by the clocks of the building. */
export function spansOf(plan: WeeklyPlan, zone: string): readonly Span[] {
  const { firstDay, lastDay, weekdays, from, until } = plan;
  const spans: Span[] = [];
  for (let day = firstDay; day <= lastDay && spans.length < MOST_WINDOWS; day = addDays(day, 1)) {
    if (!weekdays.includes(weekdayOf(day))) continue;
    const lastOfWindow = until > from ? day : addDays(day, 1);
    spans.push({
      start: instantOf(day, from, zone),
      end: instantOf(lastOfWindow, until, zone),
    });
  }
  return spans;
}

export interface Planned extends Span {
  /** Why it cannot be shared. */
  readonly conflict?: "past" | "overlap";
}

/** Finds what the API would refuse, so that the rest can be shared. */
export const withConflicts = (
  spans: readonly Span[],
  windows: readonly Availability[],
  now: number,
): readonly Planned[] =>
  spans.map((span) => {
    if (span.start <= now) return { ...span, conflict: "past" };
    const overlaps = windows.some(
      ({ start_time, end_time }) =>
        Date.parse(start_time) < span.end && Date.parse(end_time) > span.start,
    );
    return overlaps ? { ...span, conflict: "overlap" } : span;
  });
