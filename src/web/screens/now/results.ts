import type { ClaimLimits } from "../../api/building.ts";
import type { Availability, Spot } from "../../api/resources.ts";
import { freeOf } from "../../parts/free.ts";
import { MINUTE, type Span } from "../../time/zone.ts";
import { allowedEnd, soonest } from "../claim/times.ts";

/** The part of a window that is free in the period. */
export interface Result extends Span {
  readonly id: string;
  readonly window: Availability;
  /** The end of the free time, which may be after the period. */
  readonly freeUntil: number;
  readonly spot: Spot;
  readonly isWhole: boolean;
  /** Its section requires more notice, so it begins after the period. */
  readonly isLater: boolean;
}

const SHORTEST = 30 * MINUTE;

interface Wanted extends Span {
  /** The person who cannot claim their own spots. */
  readonly personId: string;
  readonly now: number;
  readonly limitsOf: (spot: Spot) => ClaimLimits;
}

/** First those for the whole period, the verified spots before others; then parts by length. */
export function resultsOf(
  windows: readonly Availability[],
  spots: readonly Spot[],
  { personId, now, limitsOf, ...period }: Wanted,
): readonly Result[] {
  const byId = new Map(spots.map((spot) => [spot.id, spot]));
  const results = windows.flatMap((window) => {
    const spot = byId.get(window.spot_id);
    if (spot === undefined || spot.owner_id === personId) return [];
    const limits = limitsOf(spot);
    const first = Math.max(period.start, soonest(now, limits));
    return freeOf(window).flatMap((free): Result[] => {
      const start = Math.max(free.start, first);
      const end = Math.min(free.end, allowedEnd(start, period.end, limits));
      if (end - start < Math.min(SHORTEST, period.end - period.start)) return [];
      const isWhole = end === period.end && start === first;
      const isLater = start > period.start;
      const id = `${window.id} ${free.start}`;
      return [{ id, window, freeUntil: free.end, spot, start, end, isWhole, isLater }];
    });
  });
  return results.toSorted(
    (a, b) =>
      Number(b.isWhole) - Number(a.isWhole) ||
      (a.isWhole ? 0 : b.end - b.start - (a.end - a.start)) ||
      Number(b.spot.is_verified) - Number(a.spot.is_verified) ||
      a.spot.spot_number.localeCompare(b.spot.spot_number, undefined, { numeric: true }),
  );
}
