import type { ClaimLimits } from "../../api/building.ts";
import type { Availability, Spot } from "../../api/resources.ts";
import { MINUTE, type Span } from "../../time/zone.ts";
import { allowedEnd, soonest } from "../claim/times.ts";

/** A window that is free for the period, or for a part of it. */
export interface Result extends Span {
  readonly window: Availability;
  readonly spot: Spot;
  readonly isWhole: boolean;
  /** Its section asks for more notice, so it begins after the period. */
  readonly isLater: boolean;
}

/** Parts that are shorter are of no use. */
const SHORTEST = 30 * MINUTE;

interface Wanted extends Span {
  /** Of somebody who cannot claim their own spots. */
  readonly personId: string;
  readonly now: number;
  readonly limitsOf: (spot: Spot) => ClaimLimits;
}

/** First those for the whole period, and of them the verified ones; then parts, the longest first. */
export function resultsOf(
  windows: readonly Availability[],
  spots: readonly Spot[],
  { personId, now, limitsOf, ...period }: Wanted,
): readonly Result[] {
  const byId = new Map(spots.map((spot) => [spot.id, spot]));
  const results = windows.flatMap((window): Result[] => {
    const spot = byId.get(window.spot_id);
    if (window.is_claimed || spot === undefined || spot.owner_id === personId) return [];
    const limits = limitsOf(spot);
    const first = Math.max(period.start, soonest(now, limits));
    const start = Math.max(Date.parse(window.start_time), first);
    const end = Math.min(Date.parse(window.end_time), allowedEnd(start, period.end, limits));
    if (end - start < Math.min(SHORTEST, period.end - period.start)) return [];
    const isWhole = end === period.end && start === first;
    return [{ window, spot, start, end, isWhole, isLater: start > period.start }];
  });
  return results.toSorted(
    (a, b) =>
      Number(b.isWhole) - Number(a.isWhole) ||
      (a.isWhole ? 0 : b.end - b.start - (a.end - a.start)) ||
      Number(b.spot.is_verified) - Number(a.spot.is_verified) ||
      a.spot.spot_number.localeCompare(b.spot.spot_number, undefined, { numeric: true }),
  );
}
