import { useMemo } from "preact/hooks";
import { allSpots, type Bookings, bookingsBetween } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import type { Availability, Claim, Spot } from "../../api/resources.ts";
import { grouped } from "../../grouped.ts";
import type { Text } from "../../messages/translate.ts";
import { freeOf } from "../../parts/free.ts";
import { bySection } from "../../parts/sections.tsx";
import { claimsByWindow, inOrder, type Part, partsOf } from "../../parts/window-parts.ts";
import type { Span } from "../../time/zone.ts";
import type { View } from "./view.ts";

/** The state of a part of a window for the viewer. */
export type SlotState =
  | "free"
  | "taken"
  /** The viewer claimed it. */
  | "yours"
  /** It is on the viewer's own spot, and nobody claimed it. */
  | "shared"
  /** It is on the viewer's own spot, and a neighbour claimed it. */
  | "lent"
  /** It is not on offer, on a spot for which the viewer knows all claims. */
  | "kept"
  /** Nobody claimed it, and it is over. */
  | "over";

export interface Slot extends Part {
  readonly spot: Spot;
  readonly state: SlotState;
  /** The person who claimed it, for viewers who may know. */
  readonly holder: Text | undefined;
}

export interface Row {
  readonly spot: Spot;
  readonly slots: readonly Slot[];
}

interface Viewer {
  readonly personId: string;
  /** Names the person who made a claim, for a viewer who may know all claims. */
  readonly holderOf?: ((claim: Claim) => Text) | undefined;
}

/** A row for each spot, also without windows, with the parts of its windows in the period. */
function rowsOf(
  spots: readonly Spot[],
  bookings: Bookings,
  viewer: Viewer,
  period: Span,
  now: number,
): readonly Row[] {
  const held = claimsByWindow(bookings.claims);
  const bySpot = grouped(bookings.availabilities, ({ spot_id }) => spot_id);
  return spots.toSorted(bySection).map((spot) => ({
    spot,
    slots: (bySpot.get(spot.id) ?? [])
      .flatMap((window) => slotsOf(spot, window, held.get(window.id) ?? [], viewer, now))
      .filter(({ start, end }) => start < period.end && end > period.start)
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
  // An administrator receives more claims than a resident's view shows.
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

export const isClaimable = ({ state }: Slot): boolean => state === "free";

/** Whether the viewer can do something with it, or read about it. */
export const isOpenable = ({ state, holder }: Slot): boolean =>
  state !== "over" && (state !== "taken" || holder !== undefined);

export function useRows(view: View, { personId, holderOf }: Viewer, now: number) {
  const { value: spots, error: spotsError } = useReading(allSpots);
  const { value: bookings, error: bookingsError } = useReading(
    bookingsBetween(view.start, view.end),
  );
  // The time changes only which parts are over.
  const over = bookings?.availabilities.flatMap(freeOf).filter(({ end }) => end <= now).length;
  const all = useMemo(
    () => spots && bookings && rowsOf(spots, bookings, { personId, holderOf }, view, now),
    [spots, bookings, personId, holderOf, over],
  );
  const shown = useMemo(() => all && filtered(all, view), [all, view.section, view.onlyFree]);
  return { spots, all, shown, error: spotsError ?? bookingsError };
}

const filtered = (rows: readonly Row[], { section, onlyFree }: View): readonly Row[] =>
  rows
    .filter(({ spot }) => section === "" || spot.building_section === section)
    .map((row) => (onlyFree ? { ...row, slots: row.slots.filter(isClaimable) } : row))
    .filter(({ slots }) => !onlyFree || slots.length > 0);
