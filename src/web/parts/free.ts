import type { Availability } from "../api/resources.ts";
import type { Span } from "../time/zone.ts";

/** Only this file decides which parts of a window are free. */

interface Row {
  readonly start_time: string;
  readonly end_time: string;
}

export const spanOfRow = ({ start_time, end_time }: Row): Span => ({
  start: Date.parse(start_time),
  end: Date.parse(end_time),
});

/** In the order of time. */
export const freeOf = (window: Availability): readonly Span[] =>
  window.is_claimed ? [] : (window.free ?? [window]).map(spanOfRow);
