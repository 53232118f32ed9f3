import { claimsByWindow, claimsSince, ownSpots, windowsOfOwner } from "../../api/lists.ts";
import { type Reading, useReading } from "../../api/reading.ts";
import type { Availability, Claim, Spot } from "../../api/resources.ts";

/** A spot of the person, with its windows from now on. */
export interface OwnSpot {
  readonly spot: Spot;
  readonly windows: readonly OwnWindow[];
}

export interface OwnWindow {
  readonly window: Availability;
  /** Where a neighbour claimed it. */
  readonly claim?: Claim;
}

/** By when windows end that are not shown; it changes once a day, so that it can be a key. */
const startOfToday = (): number => new Date().setUTCHours(0, 0, 0, 0);

export function useOwnSpots(ownerId: string, now: number): Reading<readonly OwnSpot[]> {
  const spots = useReading(ownSpots(ownerId));
  const windows = useReading(windowsOfOwner(ownerId, startOfToday()));
  const claims = useReading(claimsSince(startOfToday()));
  if (!spots.value || !windows.value || !claims.value) {
    return { error: spots.error ?? windows.error ?? claims.error };
  }
  const held = claimsByWindow(claims.value);
  const coming = windows.value.filter(({ end_time }) => Date.parse(end_time) > now);
  const bySpot = Map.groupBy(coming, ({ spot_id }) => spot_id);
  return {
    value: spots.value.map((spot) => ({
      spot,
      windows: (bySpot.get(spot.id) ?? []).map((window) => {
        const claim = held.get(window.id);
        return { window, ...(claim && { claim }) };
      }),
    })),
  };
}
