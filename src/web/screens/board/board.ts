import { allSpots, claimsSince, windowsBetween } from "../../api/lists.ts";
import { person } from "../../api/person.ts";
import { type Reading, useReading } from "../../api/reading.ts";
import { elements, part } from "../../elements.ts";
import { t } from "../../messages/translate.ts";
import { Empty, whenRead } from "../../parts/states.ts";
import { usePlace } from "../../routing.ts";
import { useStore } from "../../store.ts";
import { timeZone } from "../../time/building.ts";
import { useNow } from "../../time/clock.ts";
import { addDays, dateOf, isDate, startOfDay } from "../../time/zone.ts";
import { openClaimForm } from "../claim/address.ts";
import { type BoardData, rowsOf, type Slot } from "./slots.ts";
import { BoardTable } from "./table.ts";

const { div } = elements;

/** What is free when: all spots, over a day or several. */
export function Board() {
  const now = useNow();
  const { query } = usePlace();
  const { profile } = useStore(person) ?? {};
  const date = query.date && isDate(query.date) ? query.date : dateOf(now, timeZone());
  const from = startOfDay(date, timeZone());
  const to = startOfDay(addDays(date, 7), timeZone());
  const data = useBoardData(from, to);
  return div(
    { class: "stack" },
    whenRead(data, (value) => {
      const rows = rowsOf(value, profile?.id ?? "", now);
      if (rows.length === 0) return part(Empty, { title: t("board.empty") });
      return part(BoardTable, { rows, claim: (slot: Slot) => openClaimForm(slot.window.id) });
    }),
  );
}

function useBoardData(from: number, to: number): Reading<BoardData> {
  const spots = useReading(allSpots);
  const windows = useReading(windowsBetween(from, to));
  const claims = useReading(claimsSince(from));
  if (spots.value && windows.value && claims.value) {
    return { value: { spots: spots.value, windows: windows.value, claims: claims.value } };
  }
  return { error: spots.error ?? windows.error ?? claims.error };
}
