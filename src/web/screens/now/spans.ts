import type { ClaimLimits } from "../../api/building.ts";
import { addDays, dateOf, HOUR, instantOf, MINUTE, type Span, timeOf } from "../../time/zone.ts";
import { allowedEnd, soonest, usualEnd } from "../claim/times.ts";

export const whens = ["now", "tonight", "overnight", "tomorrow"] as const;
export type When = (typeof whens)[number];

/** The time for which a person looks for a spot. */
export interface Wanted extends Span {
  /** A claim goes on after the end, as long as the spot is free, but no longer than this. */
  readonly until?: number;
}

const SHORTEST = 30 * MINUTE;

/**
 * The hours that people mean by a name, by the clocks of the building, and within its limits.
 * Undefined if none of them are left.
 */
export function spanOf(
  when: When,
  now: number,
  limits: ClaimLimits,
  zone: string,
): Wanted | undefined {
  const first = soonest(now, limits);
  const meant: Wanted =
    when === "now" ? { start: first, end: usualEnd(first, limits) } : hours[when](now, zone);
  const start = Math.max(first, meant.start);
  const end = allowedEnd(start, meant.end, limits);
  if (end - start < Math.min(SHORTEST, meant.end - meant.start)) return undefined;
  if (meant.until === undefined) return { start, end };
  return { start, end, until: allowedEnd(start, meant.until, limits) };
}

const MORNING = "08:00";

const hours: Readonly<Record<Exclude<When, "now">, (now: number, zone: string) => Wanted>> = {
  tonight(now, zone) {
    const today = dateOf(now, zone);
    return {
      start: instantOf(today, "18:00", zone),
      end: instantOf(today, "23:00", zone),
      until: instantOf(addDays(today, 1), MORNING, zone),
    };
  },
  overnight(now, zone) {
    // After midnight, people mean the night that has begun.
    const evening = addDays(dateOf(now, zone), timeOf(now, zone) < "05:00" ? -1 : 0);
    return {
      start: instantOf(evening, "20:00", zone),
      end: instantOf(addDays(evening, 1), MORNING, zone),
    };
  },
  tomorrow(now, zone) {
    const date = addDays(dateOf(now, zone), 1);
    return { start: instantOf(date, "08:00", zone), end: instantOf(date, "18:00", zone) };
  },
};

/** Whole hours, so that the free spots are not read again each time the present moves on. */
export const hoursAround = ({ start, end }: Span): readonly [from: number, to: number] => [
  Math.floor(start / HOUR) * HOUR,
  Math.ceil(end / HOUR) * HOUR,
];
