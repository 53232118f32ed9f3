import type { MessageKey } from "../../messages/en.ts";
import { t } from "../../messages/translate.ts";
import { Empty, whenRead } from "../../parts/states.tsx";
import { dateOf, timeZone } from "../../time/zone.ts";
import { Controls } from "./controls.tsx";
import { Grid } from "./grid.tsx";
import type { SlotState, useRows } from "./rows.ts";
import { Legend, type SlotProperties } from "./slot.tsx";
import { BoardTable, type TableProperties } from "./table.tsx";
import type { View } from "./view.ts";

interface BookingsProperties extends Omit<TableProperties, "rows" | "caption"> {
  readonly title: MessageKey;
  readonly read: ReturnType<typeof useRows>;
  readonly view: View;
  readonly now: number;
  readonly states: readonly Exclude<SlotState, "over">[];
  readonly open: SlotProperties["open"];
}

/** All spots over a day or several: as bars or as a table, with what people may choose of it. */
export function Bookings({ title, read, view, now, states, ...table }: BookingsProperties) {
  const { spots, shown, error } = read;
  return (
    <>
      <Controls view={view} today={dateOf(now, timeZone())} spots={spots ?? []} />
      {whenRead({ ...(shown && { value: shown }), error }, (rows) => {
        if (spots?.length === 0) return <Empty title="board.empty" text="board.emptyText" />;
        if (rows.length === 0) return <Empty title="board.noneFree" />;
        if (view.asTable) return <BoardTable {...table} caption={t(title)} rows={rows} />;
        return (
          <div class="stack">
            <Grid rows={rows} view={view} now={now} open={table.open} />
            <Legend states={states} />
          </div>
        );
      })}
    </>
  );
}
