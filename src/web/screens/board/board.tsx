import { useMemo } from "preact/hooks";
import { addresses } from "../../addresses.ts";
import { timeZone } from "../../api/building.ts";
import { allSpots, bookingsBetween } from "../../api/lists.ts";
import { person } from "../../api/person.ts";
import { type Reading, useReading } from "../../api/reading.ts";
import { t } from "../../messages/translate.ts";
import { Empty, whenRead } from "../../parts/states.tsx";
import { go, hrefOf } from "../../routing.ts";
import { useStore } from "../../store.ts";
import { useNow } from "../../time/clock.ts";
import { dateOf } from "../../time/zone.ts";
import { openClaimForm } from "../claim/address.ts";
import { Controls } from "./controls.tsx";
import { Grid } from "./grid.tsx";
import { Legend } from "./legend.tsx";
import { type BoardData, isClaimable, type Row, rowsOf, type Slot } from "./slots.ts";
import { BoardTable } from "./table.tsx";
import { useView, type View } from "./view.ts";

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
  return (
    <div class="stack">
      <Controls view={view} today={dateOf(now, timeZone())} sections={sections} />
      {whenRead({ ...(rows && { value: rows }), error: data.error }, (shown) => (
        <Shown rows={shown} view={view} now={now} hasSpots={spots?.length !== 0} />
      ))}
    </div>
  );
}

interface ShownProperties {
  readonly rows: readonly Row[];
  readonly view: View;
  readonly now: number;
  readonly hasSpots: boolean;
}

function Shown({ rows, view, now, hasSpots }: ShownProperties) {
  if (!hasSpots) return <Empty title={t("board.empty")} text={t("board.emptyText")} />;
  if (rows.length === 0) return <Empty title={t("board.noneFree")} />;
  if (view.asTable) return <BoardTable rows={rows} open={openSlot} />;
  return (
    <div class="stack">
      <Grid rows={rows} view={view} now={now} open={openSlot} />
      <Legend states={["free", "taken", "yours", "shared", "lent"]} />
    </div>
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
