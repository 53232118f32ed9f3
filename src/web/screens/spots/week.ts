import { addDays, type Span, startOfDay } from "../../time/zone.ts";
import { weekdayOf } from "./plan.ts";

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

// A type, because an interface cannot be used as a style.
type Place = Readonly<Record<"left" | "width", string>>;

/** The position of a span within a day; undefined if it is only on other days. */
export function placeIn({ start, end }: Span, day: Span): Place | undefined {
  const [from, to] = [Math.max(start, day.start), Math.min(end, day.end)];
  if (from >= to) return undefined;
  const percent = (time: number) => `${((time / (day.end - day.start)) * 100).toFixed(3)}%`;
  return { left: percent(from - day.start), width: percent(to - from) };
}
