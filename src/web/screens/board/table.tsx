import { useMemo } from "preact/hooks";
import { plain, t } from "../../messages/translate.ts";
import { LongTable, type TableRow } from "../../parts/table.tsx";
import { Unverified } from "../../parts/unverified.tsx";
import { formatSpan } from "../../time/format.ts";
import { isClaimable, type Row, type Slot } from "./slots.ts";

interface BoardTableProperties {
  readonly rows: readonly Row[];
  readonly open: (slot: Slot) => void;
}

/** The board as a table: a line for each bar. */
export function BoardTable({ rows, open }: BoardTableProperties) {
  const slots = useMemo(() => rows.flatMap((row) => row.slots), [rows]);
  const line = (slot: Slot): TableRow => {
    const { id, spot, state } = slot;
    const span = formatSpan(slot.start, slot.end);
    return {
      key: id,
      cells: [
        plain(spot.spot_number),
        <>
          {plain(spot.building_section)} {!spot.is_verified && <Unverified />}
        </>,
        span,
        <span class={`state ${state}`}>{t(`slot.${state}`)}</span>,
        isClaimable(slot) && (
          <button
            type="button"
            aria-label={t("claim.claimOne", { spot: spot.spot_number, span })}
            onClick={() => open(slot)}
          >
            {t("claim.claim")}
          </button>
        ),
      ],
    };
  };
  return (
    <div class="table-box">
      <LongTable
        caption={t("screen.board")}
        columns={[
          t("board.spot"),
          t("board.section"),
          t("board.time"),
          t("board.state"),
          undefined,
        ]}
        items={slots}
        row={line}
      />
    </div>
  );
}
