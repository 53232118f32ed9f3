import { plain, t } from "../../messages/translate.ts";
import { Table, type TableRow } from "../../parts/table.tsx";
import { formatSpan } from "../../time/format.ts";
import { isClaimable, type Row, type Slot } from "./slots.ts";

interface BoardTableProperties {
  readonly rows: readonly Row[];
  readonly open: (slot: Slot) => void;
}

/** The board as a table: a line for each window. */
export function BoardTable({ rows, open }: BoardTableProperties) {
  const line = (slot: Slot): TableRow => ({
    key: slot.window.id,
    cells: [
      plain(slot.spot.spot_number),
      plain(slot.spot.building_section),
      formatSpan(slot.start, slot.end),
      <span class={`state ${slot.state}`}>{t(`slot.${slot.state}`)}</span>,
      isClaimable(slot) && (
        <button type="button" onClick={() => open(slot)}>
          {t("claim.claim")}
        </button>
      ),
    ],
  });
  return (
    <div class="table-box">
      <Table
        caption={t("screen.board")}
        columns={[
          t("board.spot"),
          t("board.section"),
          t("board.time"),
          t("board.state"),
          undefined,
        ]}
        rows={rows.flatMap(({ slots }) => slots.map(line))}
      />
    </div>
  );
}
