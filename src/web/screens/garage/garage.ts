import { useMemo } from "preact/hooks";
import { allSpots, bookingsBetween } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import { elements, part } from "../../elements.ts";
import { t } from "../../messages/translate.ts";
import { Empty, Failed, Loading } from "../../parts/states.ts";
import { look } from "../../routing.ts";
import { timeZone } from "../../time/building.ts";
import { useNow } from "../../time/clock.ts";
import { dateOf } from "../../time/zone.ts";
import { usePeople } from "../administration/people.ts";
import { filtered } from "../board/board.ts";
import { Controls } from "../board/controls.ts";
import { Grid } from "../board/grid.ts";
import { Legend } from "../board/legend.ts";
import type { Slot } from "../board/slots.ts";
import { useView } from "../board/view.ts";
import { SlotDialog } from "./dialog.ts";
import { garageRows } from "./rows.ts";
import { GarageTable } from "./table.ts";

const { div, p } = elements;

/** The board as administrators see it: all claims, and who made them. */
export function Garage() {
  const now = useNow();
  const view = useView(now);
  const people = usePeople();
  const spots = useReading(allSpots);
  const bookings = useReading(bookingsBetween(view.from, view.to));
  const { windows, claims } = bookings.value ?? {};
  // Time changes nothing but what is over.
  const over = windows?.filter(({ end_time }) => Date.parse(end_time) <= now).length;
  const rows = useMemo(
    () =>
      spots.value && windows && claims
        ? garageRows(spots.value, windows, claims, people, now)
        : undefined,
    [spots.value, windows, claims, people, over],
  );
  const shown = useMemo(() => rows && filtered(rows, view), [rows, view.section, view.onlyFree]);
  const error = spots.error ?? bookings.error;
  if (rows === undefined || shown === undefined) {
    return error === undefined ? part(Loading, {}) : part(Failed, { error });
  }
  const sections = [...new Set(rows.map(({ spot }) => spot.building_section))].toSorted();
  return div(
    { class: "stack" },
    p({ class: "quiet" }, t("garage.intro")),
    part(Controls, { view, today: dateOf(now, timeZone()), sections }),
    shown.length === 0
      ? part(Empty, { title: t(rows.length === 0 ? "board.empty" : "board.noneFree") })
      : view.asTable
        ? part(GarageTable, { rows: shown, people, open })
        : div(
            { class: "stack" },
            part(Grid, { rows: shown, view, now, open }),
            part(Legend, { states: ["free", "taken"] }),
          ),
    part(SlotDialog, { rows, people, now }),
  );
}

const open = ({ window }: Slot) => look({ slot: window.id });
