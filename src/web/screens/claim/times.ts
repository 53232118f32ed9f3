import type { ClaimLimits } from "../../api/building.ts";
import { MINUTE, type Span } from "../../time/zone.ts";

/** What the form proposes. */

const STEP = 5 * MINUTE;

/**
 * A claim begins in the future, with the notice that the section asks for: the soonest leaves a
 * minute to send the form, and is on a round time.
 */
export function soonest(now: number, { claim_notice_minutes }: ClaimLimits): number {
  const notice = (claim_notice_minutes ?? 0) * MINUTE;
  return Math.ceil((now + notice + MINUTE) / STEP) * STEP;
}

/** The end of a claim that is no longer than the section allows. */
function allowedEnd(start: number, end: number, { longest_claim_minutes }: ClaimLimits): number {
  return longest_claim_minutes == null
    ? end
    : Math.min(end, start + longest_claim_minutes * MINUTE);
}

/** What the person asked for, as far as it lies in the window and has not begun. */
export function proposal(
  window: Span,
  asked: Partial<Span>,
  now: number,
  limits: ClaimLimits,
): Span {
  const first = Math.max(window.start, soonest(now, limits));
  const start = Math.max(first, asked.start ?? first);
  const end = Math.min(window.end, asked.end ?? window.end);
  return start < end
    ? { start, end: asked.end === undefined ? allowedEnd(start, end, limits) : end }
    : { start: first, end: allowedEnd(first, window.end, limits) };
}
