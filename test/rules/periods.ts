import { hours } from "../support/building.ts";
import { later } from "./support.ts";

/** The times of a window or claim, and what is special about them, for it.each. */
export interface Period {
  readonly what: string;
  readonly from: string;
  readonly to: string;
}

const start = hours(2);

/** Periods that do not end after they start. */
export const emptyPeriods: readonly Period[] = [
  { what: "an empty one", from: start, to: start },
  {
    what: "one that is empty once rounded to milliseconds",
    from: start,
    to: start.replace("Z", "4Z"),
  },
  { what: "one that ends 1 ms before its start", from: start, to: later(start, -1) },
  { what: "one that ends at -infinity", from: start, to: "-infinity" },
];

export const firstMoment = "0001-01-01T00:00:00.000Z";
export const lastMoment = "9999-12-31T23:59:59.999Z";

/** Periods that are not within the years 1 to 9999, which RFC 3339 can write. */
export const periodsBeyondTheCalendar: readonly Period[] = [
  { what: "a start at -infinity", from: "-infinity", to: hours(2) },
  { what: "an end at infinity", from: hours(1), to: "infinity" },
  { what: "from -infinity to infinity", from: "-infinity", to: "infinity" },
  { what: "an end in the year 10000", from: hours(1), to: "10000-01-01T00:00:00Z" },
  {
    what: "an end that is rounded to the year 10000",
    from: hours(1),
    to: lastMoment.replace("Z", "9Z"),
  },
  { what: "a start in the year 1 BC", from: "0001-12-31T23:59:59.999Z BC", to: hours(2) },
];
