import { claimsSince, ownPatterns, ownSpots, windowsOfOwner } from "../../api/lists.ts";
import { type Reading, useMovingReading, useReading } from "../../api/reading.ts";
import type { Availability, Pattern, Spot } from "../../api/resources.ts";
import { grouped } from "../../grouped.ts";
import { claimsByWindow, type Part, partsOf } from "../../parts/window-parts.ts";
import { now } from "../../time/now.ts";

/** A spot of the person, with its windows from now on. */
export interface OwnSpot {
  readonly spot: Spot;
  readonly windows: readonly Availability[];
  /** The parts of the windows: free, claimed by neighbours, or not on offer. */
  readonly parts: readonly Part[];
  readonly patterns: readonly Pattern[];
}

/** Windows that ended before are not shown. It changes once a day, so it can be part of a key. */
export const startOfToday = (): number => new Date(now()).setUTCHours(0, 0, 0, 0);

export function useOwnSpots(ownerId: string, now: number): Reading<readonly OwnSpot[]> {
  const spots = useReading(ownSpots(ownerId));
  const windows = useMovingReading(windowsOfOwner(ownerId, startOfToday()));
  const claims = useMovingReading(claimsSince(startOfToday()));
  const patterns = useReading(ownPatterns);
  const readings = [spots, windows, claims, patterns];
  if (!spots.value || !windows.value || !claims.value || !patterns.value) {
    return { error: readings.find(({ error }) => error !== undefined)?.error };
  }
  const held = claimsByWindow(claims.value);
  const isAhead = ({ end_time }: { readonly end_time: string }) => Date.parse(end_time) > now;
  const bySpot = grouped(windows.value.filter(isAhead), ({ spot_id }) => spot_id);
  const plans = grouped(patterns.value, ({ spot_id }) => spot_id);
  return {
    value: spots.value.map((spot) => ({
      spot,
      windows: bySpot.get(spot.id) ?? [],
      parts: (bySpot.get(spot.id) ?? []).flatMap((it) => partsOf(it, held.get(it.id))),
      patterns: plans.get(spot.id) ?? [],
    })),
  };
}
