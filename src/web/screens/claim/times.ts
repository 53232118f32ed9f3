import type { ClaimLimits } from "../../api/building.ts";
import { now } from "../../time/now.ts";
import { HOUR, MINUTE, type Span } from "../../time/zone.ts";

/** What is proposed to somebody who claims. */

const STEP = 5 * MINUTE;
const QUARTER = 15 * MINUTE;

/** As long as people mean who do not say until when. */
const USUALLY = 2 * HOUR;

/**
 * A claim begins in the future, with the notice that the section asks for: the soonest leaves a
 * minute to send the form, and is on a round time.
 */
export function soonest(now: number, { claim_notice_minutes }: ClaimLimits): number {
  const notice = (claim_notice_minutes ?? 0) * MINUTE;
  return Math.ceil((now + notice + MINUTE) / STEP) * STEP;
}

/** What is still to come of a proposal when it is tapped: the page may have been put away for a while. */
export const stillAhead = ({ start, end }: Span, limits: ClaimLimits): Span => ({
  start: Math.max(start, soonest(now(), limits)),
  end,
});

/** The end of a claim that is no longer than the section allows. */
export function allowedEnd(start: number, end: number, limits: ClaimLimits): number {
  const { longest_claim_minutes } = limits;
  return longest_claim_minutes == null
    ? end
    : Math.min(end, start + longest_claim_minutes * MINUTE);
}

/** The end that is meant where nobody said one, on a quarter of an hour. */
export function usualEnd(start: number, limits: ClaimLimits): number {
  const length = Math.max(USUALLY, (limits.shortest_claim_minutes ?? 0) * MINUTE);
  return allowedEnd(start, Math.ceil((start + length) / QUARTER) * QUARTER, limits);
}

/** What the person asked for, as far as it lies in what is free and has not begun. */
export function proposal(free: Span, asked: Partial<Span>, now: number, limits: ClaimLimits): Span {
  // Forms show no seconds.
  const first = Math.max(Math.ceil(free.start / MINUTE) * MINUTE, soonest(now, limits));
  if (asked.end !== undefined) {
    const start = Math.max(first, asked.start ?? first);
    const end = Math.min(free.end, asked.end);
    if (start < end) return { start, end };
  }
  // Who taps near the end means its last hours.
  const start = Math.max(first, Math.min(asked.start ?? first, free.end - USUALLY));
  return { start, end: Math.min(free.end, usualEnd(start, limits)) };
}
