import type { Bookings } from "../../api/lists.ts";
import type { Availability, Claim, Spot } from "../../api/resources.ts";
import { grouped } from "../../grouped.ts";
import type { Text } from "../../messages/translate.ts";
import { claimsByWindow, inOrder, type Part, partsOf } from "../../parts/window-parts.ts";
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
  readonly holder: Text | undefined;
}

export interface Row {
  readonly spot: Spot;
  readonly slots: readonly Slot[];
}

/** Who looks at the board. */
export interface Viewer {
  readonly personId: string;
  /** Of somebody who may know of all claims: who made them. */
  readonly holderOf?: ((claim: Claim) => Text) | undefined;
}

/** A row for each spot, also for those without windows, with what of its windows is in the period. */
export function rowsOf(
  spots: readonly Spot[],
  bookings: Bookings,
  viewer: Viewer,
  { from, to }: Period,
  now: number,
): readonly Row[] {
  const held = claimsByWindow(bookings.claims);
  const bySpot = grouped(bookings.availabilities, ({ spot_id }) => spot_id);
  return spots.map((spot) => ({
    spot,
    slots: (bySpot.get(spot.id) ?? [])
      .flatMap((window) => slotsOf(spot, window, held.get(window.id) ?? [], viewer, now))
      .filter(({ start, end }) => start < to && end > from)
      .toSorted(inOrder),
  }));
}

function slotsOf(
  spot: Spot,
  window: Availability,
  claims: readonly Claim[],
  { personId, holderOf }: Viewer,
  now: number,
): readonly Slot[] {
  const isOwn = spot.owner_id === personId;
  const knowsAll = isOwn || holderOf !== undefined;
  // An administrator is told of more than a resident sees here.
  const known = claims.filter(({ claimer_id }) => knowsAll || claimer_id === personId);
  const stateOf = ({ isFree, claim, end }: Part): SlotState => {
    if (isFree && end <= now) return "over";
    if (isFree) return isOwn ? "shared" : "free";
    if (claim && !holderOf) return isOwn ? "lent" : "yours";
    return claim || !knowsAll ? "taken" : "kept";
  };
  return partsOf(window, known).map((part) => ({
    ...part,
    spot,
    state: stateOf(part),
    holder: part.claim && holderOf?.(part.claim),
  }));
}

/** Whether the person may claim it. */
export const isClaimable = ({ state }: Slot): boolean => state === "free";

/** Whether there is something to do with it, or to read of it. */
export const isOpenable = ({ state, holder }: Slot): boolean =>
  state !== "over" && (state !== "taken" || holder !== undefined);
