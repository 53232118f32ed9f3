import { useMemo } from "preact/hooks";
import type { Spot } from "../../api/resources.ts";
import type { MessageKey } from "../../messages/en.ts";
import { plain, type Text, t } from "../../messages/translate.ts";
import { Button, Unverified } from "../../parts/controls.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { LongTable, type TableRow } from "../../parts/table.tsx";
import { formatSpan } from "../../time/format.ts";
import { dateOf, timeZone } from "../../time/zone.ts";
import { Controls } from "./controls.tsx";
import { Grid } from "./grid.tsx";
import type { Row, Slot, SlotState, useRows } from "./rows.ts";
import { Legend, type SlotProperties } from "./slot.tsx";
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

interface TableProperties {
  readonly caption: Text;
  readonly rows: readonly Row[];
  /** For viewers who may know the owners of the spots and the people who claimed them. */
  readonly people?: {
    readonly owner: MessageKey;
    readonly ownerOf: (spot: Spot) => Text;
    readonly holder: MessageKey;
  };
  /** The action for bars, its name for one of them, and the bars that have it. */
  readonly act: MessageKey;
  readonly actOn: MessageKey;
  readonly can: (slot: Slot) => boolean;
  readonly open: (slot: Slot) => void;
}

function BoardTable(properties: TableProperties) {
  const { caption, rows, people, act, actOn, can, open } = properties;
  const slots = useMemo(() => rows.flatMap((row) => row.slots), [rows]);
  const line = (slot: Slot): TableRow => {
    const { id, spot, state, holder } = slot;
    const span = formatSpan(slot.start, slot.end);
    return {
      key: id,
      cells: [
        plain(spot.spot_number),
        <>
          {plain(spot.building_section)} {!spot.is_verified && <Unverified />}
        </>,
        ...(people ? [people.ownerOf(spot)] : []),
        span,
        <span class={`state ${state}`}>{t(`slot.${state}`)}</span>,
        ...(people ? [holder] : []),
        can(slot) && (
          <Button
            aria-label={t(actOn, { spot: spot.spot_number, span })}
            onClick={() => open(slot)}
          >
            {t(act)}
          </Button>
        ),
      ],
    };
  };
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label={caption}>
      <LongTable
        caption={caption}
        columns={[
          t("board.spot"),
          t("board.section"),
          ...(people ? [t(people.owner)] : []),
          t("board.time"),
          t("board.state"),
          ...(people ? [t(people.holder)] : []),
          undefined,
        ]}
        items={slots}
        row={line}
      />
    </div>
  );
}
