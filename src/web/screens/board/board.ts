import { useMemo } from "preact/hooks";
import { addresses } from "../../addresses.ts";
import { allSpots, bookingsBetween } from "../../api/lists.ts";
import { person } from "../../api/person.ts";
import { type Reading, useReading } from "../../api/reading.ts";
import { elements, part } from "../../elements.ts";
import { t } from "../../messages/translate.ts";
import { Empty, whenRead } from "../../parts/states.ts";
import { go, hrefOf } from "../../routing.ts";
import { useStore } from "../../store.ts";
import { timeZone } from "../../time/building.ts";
import { useNow } from "../../time/clock.ts";
import { dateOf } from "../../time/zone.ts";
import { openClaimForm } from "../claim/address.ts";
import { Controls } from "./controls.ts";
import { Grid } from "./grid.ts";
import { Legend } from "./legend.ts";
import { type BoardData, isClaimable, type Row, rowsOf, type Slot } from "./slots.ts";
import { BoardTable } from "./table.ts";
import { useView, type View } from "./view.ts";

const { div } = elements;

/** What is free when: all spots, over a day or several. */
export function Board() {
  const now = useNow();
  const view = useView(now);
  const { profile } = useStore(person) ?? {};
  const data = useBoardData(view);
  const { spots, windows, claims } = data.value ?? {};
  // Time changes nothing but what is over.
  const over = windows?.filter(({ end_time }) => Date.parse(end_time) <= now).length;
  const all = useMemo(
    () => data.value && rowsOf(data.value, profile?.id ?? "", now),
    [spots, windows, claims, profile?.id, over],
  );
  const rows = useMemo(() => all && filtered(all, view), [all, view.section, view.onlyFree]);
  const sections = [...new Set(spots?.map((spot) => spot.building_section))].toSorted();
  return div(
    { class: "stack" },
    part(Controls, { view, today: dateOf(now, timeZone()), sections }),
    whenRead({ ...(rows && { value: rows }), error: data.error }, (shown) =>
      part(Shown, { rows: shown, view, now, hasSpots: spots?.length !== 0 }),
    ),
  );
}

interface ShownProperties {
  readonly rows: readonly Row[];
  readonly view: View;
  readonly now: number;
  readonly hasSpots: boolean;
}

function Shown({ rows, view, now, hasSpots }: ShownProperties) {
  if (!hasSpots) return part(Empty, { title: t("board.empty"), text: t("board.emptyText") });
  if (rows.length === 0) return part(Empty, { title: t("board.noneFree") });
  if (view.asTable) return part(BoardTable, { rows, open: openSlot });
  return div(
    { class: "stack" },
    part(Grid, { rows, view, now, open: openSlot }),
    part(Legend, { states: ["free", "taken", "yours", "shared", "lent"] }),
  );
}

/** What the filters of the view leave. */
export const filtered = (rows: readonly Row[], { section, onlyFree }: View): readonly Row[] =>
  rows
    .filter(({ spot }) => section === "" || spot.building_section === section)
    .map((row) => (onlyFree ? { ...row, slots: row.slots.filter(isClaimable) } : row))
    .filter(({ slots }) => !onlyFree || slots.length > 0);

/** What can be done with a bar: claim it, or see to what one has. */
function openSlot(slot: Slot, from?: number, until?: number): void {
  if (slot.state === "free") openClaimForm(slot.window.id, from, until);
  else if (slot.state === "yours") go(hrefOf(addresses.claims, { claim: slot.claim?.id }));
  else go(hrefOf(addresses.spots, { spot: slot.spot.id }));
}

function useBoardData({ from, to }: View): Reading<BoardData> {
  const spots = useReading(allSpots);
  const bookings = useReading(bookingsBetween(from, to));
  if (spots.value && bookings.value) return { value: { spots: spots.value, ...bookings.value } };
  return { error: spots.error ?? bookings.error };
}
