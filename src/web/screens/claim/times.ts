/** What the form proposes. */

const MINUTE = 60_000;
const STEP = 5 * MINUTE;

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A claim begins in the future: the soonest is a few minutes from now, on a round time. */
export const soonest = (now: number): number => Math.ceil((now + MINUTE) / STEP) * STEP;

/** What the person asked for, as far as it lies in the window and has not begun. */
export function proposal(window: Span, asked: Partial<Span>, now: number): Span {
  const first = Math.max(window.start, soonest(now));
  const start = Math.max(first, asked.start ?? first);
  const end = Math.min(window.end, asked.end ?? window.end);
  return start < end ? { start, end } : { start: first, end: window.end };
}
