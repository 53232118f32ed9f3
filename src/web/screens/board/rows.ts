import { useMemo } from "preact/hooks";
import { allSpots, bookingsBetween } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import { freeOf } from "../../parts/free.ts";
import { useFreeFirst } from "./order.ts";
import { isClaimable, type Row, rowsOf, type Viewer } from "./slots.ts";
import type { View } from "./view.ts";

/** The rows of the view, as the viewer may see them. */
export function useRows(view: View, { personId, holderOf }: Viewer, now: number) {
  const { value: spots, error: spotsError } = useReading(allSpots);
  const { value: bookings, error: bookingsError } = useReading(bookingsBetween(view.from, view.to));
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

/** The rows that pass the filters of the view. */
const filtered = (rows: readonly Row[], { section, onlyFree }: View): readonly Row[] =>
  rows
    .filter(({ spot }) => section === "" || spot.building_section === section)
    .map((row) => (onlyFree ? { ...row, slots: row.slots.filter(isClaimable) } : row))
    .filter(({ slots }) => !onlyFree || slots.length > 0);
