import { useMemo } from "preact/hooks";
import type { Spot } from "../../api/resources.ts";
import type { MessageKey } from "../../messages/en.ts";
import { plain, type Text, t } from "../../messages/translate.ts";
import { Unverified } from "../../parts/icons.tsx";
import { LongTable, type TableRow } from "../../parts/table.tsx";
import { formatSpan } from "../../time/format.ts";
import type { Row, Slot } from "./rows.ts";

export interface TableProperties {
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

export function BoardTable(properties: TableProperties) {
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
            aria-label={t(actOn, { spot: spot.spot_number, span })}
            onClick={() => open(slot)}
          >
            {t(act)}
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
