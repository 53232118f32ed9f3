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
