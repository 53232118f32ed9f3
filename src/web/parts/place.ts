import type { Span } from "../time/zone.ts";

/** A share of a width, from 0 to 1, for a style. */
export const percent = (share: number): string => `${(share * 100).toFixed(3)}%`;

/** The position of a moment within a period, from 0 at its start to 1 at its end. */
export const position = (moment: number, { start, end }: Span): number =>
  Math.min(1, Math.max(0, (moment - start) / (end - start)));

// A type, because an interface cannot be used as a style.
type Place = Readonly<Record<"left" | "width", string>>;

/** The place of a bar within a period; undefined if it is only before or after. */
export function placeIn({ start, end }: Span, period: Span): Place | undefined {
  const [from, to] = [position(start, period), position(end, period)];
  return from < to ? { left: percent(from), width: percent(to - from) } : undefined;
}
