import type { ClaimLimits } from "../../api/building.ts";
import { now } from "../../time/now.ts";
import { HOUR, MINUTE, type Span } from "../../time/zone.ts";

const STEP = 5 * MINUTE;
const QUARTER = 15 * MINUTE;

/** The proposed length if a person gives no end. */
const USUALLY = 2 * HOUR;

/**
 * The soonest start of a claim. It is in the future, with the notice that the section requires. It
 * leaves a minute for sending the form, and is rounded.
 */
export function soonest(now: number, { claim_notice_minutes }: ClaimLimits): number {
  const notice = (claim_notice_minutes ?? 0) * MINUTE;
  return Math.ceil((now + notice + MINUTE) / STEP) * STEP;
}

/**
 * The part of a proposal that is in the future when the person taps: the page may have been in the
 * background for a while.
 */
export const stillAhead = ({ start, end }: Span, limits: ClaimLimits): Span => ({
  start: Math.max(start, soonest(now(), limits)),
  end,
});

export function allowedEnd(start: number, end: number, limits: ClaimLimits): number {
  const { longest_claim_minutes } = limits;
  return longest_claim_minutes == null
    ? end
    : Math.min(end, start + longest_claim_minutes * MINUTE);
}

/** The proposed end if the person gives none, on a quarter of an hour. */
export function usualEnd(start: number, limits: ClaimLimits): number {
  const length = Math.max(USUALLY, (limits.shortest_claim_minutes ?? 0) * MINUTE);
  return allowedEnd(start, Math.ceil((start + length) / QUARTER) * QUARTER, limits);
}

/** The time that the person asked for, as far as it is free and in the future. */
export function proposal(free: Span, asked: Partial<Span>, now: number, limits: ClaimLimits): Span {
  // Forms show no seconds.
  const first = Math.max(Math.ceil(free.start / MINUTE) * MINUTE, soonest(now, limits));
  if (asked.end !== undefined) {
    const start = Math.max(first, asked.start ?? first);
    const end = Math.min(free.end, asked.end);
    if (start < end) return { start, end };
  }
  // A person who taps near the end means the last hours.
  const start = Math.max(first, Math.min(asked.start ?? first, free.end - USUALLY));
  return { start, end: Math.min(free.end, usualEnd(start, limits)) };
}
