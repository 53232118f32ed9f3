import type { ClaimLimits } from "../../api/building.ts";
import { addDays, dateOf, HOUR, instantOf, MINUTE, type Span, timeOf } from "../../time/zone.ts";
import { allowedEnd, soonest, usualEnd } from "../claim/times.ts";

export const whens = ["now", "tonight", "tomorrow"] as const;
export type When = (typeof whens)[number];

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
): Span | undefined {
  const first = soonest(now, limits);
  const meant =
    when === "now" ? { start: first, end: usualEnd(first, limits) } : hours[when](now, zone);
  const start = Math.max(first, meant.start);
  const end = allowedEnd(start, meant.end, limits);
  return end - start < Math.min(SHORTEST, meant.end - meant.start) ? undefined : { start, end };
}

type HoursOf = (now: number, zone: string) => Span;

const hours: Readonly<Record<Exclude<When, "now">, HoursOf>> = {
  tonight(now, zone) {
    const today = dateOf(now, zone);
    const time = timeOf(now, zone);
    // Late in the evening and after midnight, people mean the night.
    const isLate = time >= "21:00";
    const [end, until] =
      isLate || time < "05:00" ? ["08:00", addDays(today, isLate ? 1 : 0)] : ["23:00", today];
    return {
      start: instantOf(today, time < "05:00" ? "00:00" : "18:00", zone),
      end: instantOf(until, end, zone),
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
