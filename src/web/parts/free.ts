import type { Availability } from "../api/resources.ts";
import { iso, type Span } from "../time/zone.ts";

/** Only this file decides which parts of a window are free. */

interface Row {
  readonly start_time: string;
  readonly end_time: string;
}

export const spanOfRow = ({ start_time, end_time }: Row): Span => ({
  start: Date.parse(start_time),
  end: Date.parse(end_time),
});

/** The span in the form of the API. */
export const rowOfSpan = ({ start, end }: Span): Row => ({
  start_time: iso(start),
  end_time: iso(end),
});

/** In the order of time. */
export const freeOf = (window: Availability): readonly Span[] =>
  window.is_claimed ? [] : (window.free ?? [window]).map(spanOfRow);
