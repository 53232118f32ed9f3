import { type Bookings, claimsByWindow } from "../../api/lists.ts";
import type { Availability, Claim, Spot } from "../../api/resources.ts";
import { grouped } from "../../grouped.ts";
import type { Text } from "../../messages/translate.ts";

/** What a window is for the person who looks at it. */
export type SlotState =
  | "free"
  | "taken"
  /** The person claimed it. */
  | "yours"
  /** On the person's own spot, and nobody claimed it. */
  | "shared"
  /** On the person's own spot, and a neighbour claimed it. */
  | "lent"
  /** Nobody claimed it, and it is over. */
  | "over";

/** A bar of the board. */
export interface Slot {
  readonly window: Availability;
  readonly spot: Spot;
  readonly state: SlotState;
  readonly start: number;
  readonly end: number;
  readonly claim?: Claim;
  /** Who claimed it, for those who may know. */
  readonly holder?: Text;
}

export interface Row {
  readonly spot: Spot;
  readonly slots: readonly Slot[];
}

/** What a viewer of the board makes of a window, and of the claim that holds it. */
export type SlotOf<Viewer> = (
  booking: { readonly spot: Spot; readonly window: Availability; readonly claim?: Claim },
  viewer: Viewer,
  now: number,
) => Slot;

/** A row for each spot, also for those without windows. */
export function rowsOf<Viewer>(
  spots: readonly Spot[],
  bookings: Bookings,
  slotOf: SlotOf<Viewer>,
  viewer: Viewer,
  now: number,
): readonly Row[] {
  const claims = claimsByWindow(bookings.claims);
  const bySpot = grouped(bookings.availabilities, ({ spot_id }) => spot_id);
  return spots.map((spot) => ({
    spot,
    slots: (bySpot.get(spot.id) ?? [])
      .map((window) => {
        const claim = claims.get(window.id);
        return slotOf({ spot, window, ...(claim && { claim }) }, viewer, now);
      })
      .toSorted((a, b) => a.start - b.start),
  }));
}

/** As residents see it: the viewer is the id of the person. */
export const residentSlot: SlotOf<string> = ({ window, spot, claim }, personId, now) => {
  const isOwn = spot.owner_id === personId;
  const isYours = claim?.claimer_id === personId;
  const shown = isOwn || isYours ? (claim ?? window) : window;
  const end = Date.parse(shown.end_time);
  const open = end <= now ? "over" : isOwn ? "shared" : "free";
  const held = isYours ? "yours" : isOwn ? "lent" : "taken";
  return {
    window,
    spot,
    state: window.is_claimed ? held : open,
    start: Date.parse(shown.start_time),
    end,
    ...(claim && { claim }),
  };
};

/** Whether the person may claim it, or the rest of it. */
export const isClaimable = ({ state }: Slot): boolean => state === "free";

/** Whether there is something to do with it, or to read of it. */
export const isOpenable = ({ state, holder }: Slot): boolean =>
  state !== "over" && (state !== "taken" || holder !== undefined);
