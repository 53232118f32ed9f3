import { useMemo } from "preact/hooks";
import type { Spot } from "../../api/resources.ts";
import { plain, type Text, t } from "../../messages/translate.ts";
import { Unverified } from "../../parts/icons.tsx";
import { LongTable, type TableRow } from "../../parts/table.tsx";
import { formatSpan } from "../../time/format.ts";
import type { Row, Slot } from "./rows.ts";

interface BoardTableProperties {
  readonly caption: Text;
  readonly rows: readonly Row[];
  /** For viewers who may know the owners of the spots and the people who claimed them. */
  readonly people?: {
    readonly owner: Text;
    readonly ownerOf: (spot: Spot) => Text;
    readonly holder: Text;
  };
  /** The action for bars, and the bars that have it. */
  readonly act: Text;
  readonly actOn: (bar: { readonly spot: string; readonly span: string }) => Text;
  readonly can: (slot: Slot) => boolean;
  readonly open: (slot: Slot) => void;
}

export function BoardTable(properties: BoardTableProperties) {
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
          <button
            type="button"
            aria-label={actOn({ spot: spot.spot_number, span })}
            onClick={() => open(slot)}
          >
            {act}
          </button>
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
          ...(people ? [people.owner] : []),
          t("board.time"),
          t("board.state"),
          ...(people ? [people.holder] : []),
          undefined,
        ]}
        items={slots}
        row={line}
      />
    </div>
  );
}
