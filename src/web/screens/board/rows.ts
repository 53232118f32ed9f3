import { useMemo, useRef } from "preact/hooks";
import { allSpots, type Bookings, bookingsBetween } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import type { Availability, Claim, Spot } from "../../api/resources.ts";
import { grouped } from "../../grouped.ts";
import type { Text } from "../../messages/translate.ts";
import { freeOf } from "../../parts/free.ts";
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
  return spots.map((spot) => ({
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

/** What people look for comes first: 0 has free time, 1 is shared, 2 was shared. */
const rankOf = ({ slots }: Row): number =>
  slots.some(isClaimable) ? 0 : slots.some(({ state }) => state !== "over") ? 1 : 2;

/**
 * Free spots come first, and sections with free spots. While the period stays the same, each row
 * stays in its place, so that a finger's target does not move when something else is claimed.
 */
function useFreeFirst(rows: readonly Row[] | undefined, { start, end }: View) {
  const ranks = useRef(new Map<string, number>());
  const period = useRef("");
  return useMemo(() => {
    if (rows === undefined) return undefined;
    const shown = `${start} ${end}`;
    if (period.current !== shown) ranks.current.clear();
    period.current = shown;
    for (const row of rows) {
      const { id } = row.spot;
      if (row.slots.length > 0 && !ranks.current.has(id)) ranks.current.set(id, rankOf(row));
    }
    return sorted(rows, (row) => ranks.current.get(row.spot.id) ?? 3);
  }, [rows, start, end]);
}

function sorted(rows: readonly Row[], rank: (row: Row) => number): readonly Row[] {
  const ofSection = new Map<string, number>();
  for (const row of rows) {
    const name = row.spot.building_section;
    ofSection.set(name, Math.min(rank(row), ofSection.get(name) ?? 3));
  }
  const section = (row: Row) => ofSection.get(row.spot.building_section) ?? 3;
  return rows.toSorted(
    (a, b) =>
      section(a) - section(b) ||
      a.spot.building_section.localeCompare(b.spot.building_section) ||
      rank(a) - rank(b),
  );
}

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
  const ordered = useFreeFirst(all, view);
  const shown = useMemo(
    () => ordered && filtered(ordered, view),
    [ordered, view.section, view.onlyFree],
  );
  return { spots, all, shown, error: spotsError ?? bookingsError };
}

const filtered = (rows: readonly Row[], { section, onlyFree }: View): readonly Row[] =>
  rows
    .filter(({ spot }) => section === "" || spot.building_section === section)
    .map((row) => (onlyFree ? { ...row, slots: row.slots.filter(isClaimable) } : row))
    .filter(({ slots }) => !onlyFree || slots.length > 0);
