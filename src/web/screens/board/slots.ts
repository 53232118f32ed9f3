import type { Bookings } from "../../api/lists.ts";
import type { Availability, Claim, Spot } from "../../api/resources.ts";
import { grouped } from "../../grouped.ts";
import type { Text } from "../../messages/translate.ts";
import { claimsByWindow, inOrder, type Part, partsOf } from "../../parts/free.ts";
import type { Period } from "./scale.ts";

/** What a part of a window is for the person who looks at it. */
export type SlotState =
  | "free"
  | "taken"
  /** The person claimed it. */
  | "yours"
  /** On the person's own spot, and nobody claimed it. */
  | "shared"
  /** On the person's own spot, and a neighbour claimed it. */
  | "lent"
  /** Of a spot of which the viewer knows all claims: it is not on offer. */
  | "kept"
  /** Nobody claimed it, and it is over. */
  | "over";

/** A bar of the board. */
export interface Slot extends Part {
  readonly spot: Spot;
  readonly state: SlotState;
  /** Who claimed it, for those who may know. */
  readonly holder?: Text;
}

export interface Row {
  readonly spot: Spot;
  readonly slots: readonly Slot[];
}

/** What a viewer of the board makes of a window, and of the claims that hold it. */
export type SlotsOf<Viewer> = (
  booking: {
    readonly spot: Spot;
    readonly window: Availability;
    readonly claims: readonly Claim[];
  },
  viewer: Viewer,
  now: number,
) => readonly Slot[];

/** A row for each spot, also for those without windows, with what of its windows is in the period. */
export function rowsOf<Viewer>(
  spots: readonly Spot[],
  bookings: Bookings,
  slotsOf: SlotsOf<Viewer>,
  viewer: Viewer,
  { from, to }: Period,
  now: number,
): readonly Row[] {
  const held = claimsByWindow(bookings.claims);
  const bySpot = grouped(bookings.availabilities, ({ spot_id }) => spot_id);
  return spots.map((spot) => ({
    spot,
    slots: (bySpot.get(spot.id) ?? [])
      .flatMap((window) =>
        slotsOf({ spot, window, claims: held.get(window.id) ?? [] }, viewer, now),
      )
      .filter(({ start, end }) => start < to && end > from)
      .toSorted(inOrder),
  }));
}

/** As residents see it: the viewer is the id of the person. */
export const residentSlots: SlotsOf<string> = ({ window, spot, claims }, personId, now) => {
  const isOwn = spot.owner_id === personId;
  // An administrator may know more, and sees that elsewhere.
  const known = claims.filter(({ claimer_id }) => isOwn || claimer_id === personId);
  return partsOf(window, known).map((part) => ({
    ...part,
    spot,
    state: stateOf(part, isOwn, now),
  }));
};

function stateOf({ isFree, claim, end }: Part, isOwn: boolean, now: number): SlotState {
  if (isFree && end <= now) return "over";
  if (isFree) return isOwn ? "shared" : "free";
  if (claim) return isOwn ? "lent" : "yours";
  return isOwn ? "kept" : "taken";
}

/** Whether the person may claim it. */
export const isClaimable = ({ state }: Slot): boolean => state === "free";

/** Whether there is something to do with it, or to read of it. */
export const isOpenable = ({ state, holder }: Slot): boolean =>
  state !== "over" && (state !== "taken" || holder !== undefined);
