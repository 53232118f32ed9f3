import { addDays, type Span, startOfDay } from "../../time/zone.ts";
import { weekdayOf } from "./plan.ts";

/** A day as the building's clock has it: 23 hours long, or 25, where that changes. */
export interface Day extends Span {
  readonly date: string;
}

/** The Monday of the week of a date. */
export const mondayOf = (date: string): string => addDays(date, -weekdayOf(date));

/** Seven, beginning with this one. */
export const daysOf = (first: string, zone: string): readonly Day[] =>
  [0, 1, 2, 3, 4, 5, 6].map((n) => ({
    date: addDays(first, n),
    start: startOfDay(addDays(first, n), zone),
    end: startOfDay(addDays(first, n + 1), zone),
  }));

// No interface, which would not be a style.
type Place = Readonly<Record<"left" | "width", string>>;

/** Where in a day a span is; undefined where it is on other days only. */
export function placeIn({ start, end }: Span, day: Span): Place | undefined {
  const [from, to] = [Math.max(start, day.start), Math.min(end, day.end)];
  if (from >= to) return undefined;
  const percent = (time: number) => `${((time / (day.end - day.start)) * 100).toFixed(3)}%`;
  return { left: percent(from - day.start), width: percent(to - from) };
}
