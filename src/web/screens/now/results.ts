import type { Availability, Spot } from "../../api/resources.ts";
import type { Span } from "../../time/zone.ts";

/** A window that is free for the period, or for a part of it. */
export interface Result extends Span {
  readonly window: Availability;
  readonly spot: Spot;
  readonly isWhole: boolean;
}

/** Parts that are shorter are of no use. */
const SHORTEST = 30 * 60_000;

/** First those for the whole period, the longest window last; then parts, the longest first. */
export function resultsOf(
  windows: readonly Availability[],
  spots: readonly Spot[],
  period: Span,
  personId: string,
  soonestOf: (spot: Spot) => number,
): readonly Result[] {
  const byId = new Map(spots.map((spot) => [spot.id, spot]));
  const results = windows.flatMap((window): Result[] => {
    const spot = byId.get(window.spot_id);
    if (window.is_claimed || spot === undefined || spot.owner_id === personId) return [];
    const soonest = soonestOf(spot);
    const start = Math.max(Date.parse(window.start_time), period.start, soonest);
    const end = Math.min(Date.parse(window.end_time), period.end);
    if (end - start < Math.min(SHORTEST, period.end - period.start)) return [];
    const isWhole = end === period.end && start <= Math.max(period.start, soonest);
    return [{ window, spot, start, end, isWhole }];
  });
  return results.toSorted(
    (a, b) =>
      Number(b.isWhole) - Number(a.isWhole) ||
      (a.isWhole ? 0 : b.end - b.start - (a.end - a.start)) ||
      a.spot.spot_number.localeCompare(b.spot.spot_number),
  );
}
