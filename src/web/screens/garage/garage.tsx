import { useMemo } from "preact/hooks";
import { timeZone } from "../../api/building.ts";
import { allSpots, bookingsBetween } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import { t } from "../../messages/translate.ts";
import { usePeople } from "../../parts/administration/people.ts";
import { Empty, Failed, Loading } from "../../parts/states.tsx";
import { look } from "../../routing.ts";
import { useNow } from "../../time/clock.ts";
import { dateOf } from "../../time/zone.ts";
import { filtered } from "../board/board.tsx";
import { Controls } from "../board/controls.tsx";
import { Grid } from "../board/grid.tsx";
import { Legend } from "../board/legend.tsx";
import type { Slot } from "../board/slots.ts";
import { useView } from "../board/view.ts";
import { SlotDialog } from "./dialog.tsx";
import { garageRows } from "./rows.ts";
import { GarageTable } from "./table.tsx";

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
    return error === undefined ? <Loading /> : <Failed error={error} />;
  }
  const sections = [...new Set(rows.map(({ spot }) => spot.building_section))].toSorted();
  return (
    <div class="stack">
      <p class="quiet">{t("garage.intro")}</p>
      <Controls view={view} today={dateOf(now, timeZone())} sections={sections} />
      {shown.length === 0 ? (
        <Empty title={t(rows.length === 0 ? "board.empty" : "board.noneFree")} />
      ) : view.asTable ? (
        <GarageTable rows={shown} people={people} open={open} />
      ) : (
        <div class="stack">
          <Grid rows={shown} view={view} now={now} open={open} />
          <Legend states={["free", "taken"]} />
        </div>
      )}
      <SlotDialog rows={rows} people={people} now={now} />
    </div>
  );
}

const open = ({ window }: Slot) => look({ slot: window.id });
