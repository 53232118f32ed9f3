import { useMemo } from "preact/hooks";
import type { Profile } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { describePerson } from "../../parts/administration/people.ts";
import { LongTable, type TableRow } from "../../parts/table.tsx";
import { Unverified } from "../../parts/unverified.tsx";
import { formatSpan } from "../../time/format.ts";
import { isOpenable, type Row, type Slot } from "../board/slots.ts";

interface GarageTableProperties {
  readonly rows: readonly Row[];
  readonly people: ReadonlyMap<string, Profile>;
  readonly open: (slot: Slot) => void;
}

/** The garage as a table: a line for each bar. */
export function GarageTable({ rows, people, open }: GarageTableProperties) {
  const slots = useMemo(() => rows.flatMap((row) => row.slots), [rows]);
  const line = (slot: Slot): TableRow => {
    const { id, spot, state, holder } = slot;
    const period = formatSpan(slot.start, slot.end);
    const label = t("garage.openOne", { spot: spot.spot_number, span: period });
    return {
      key: id,
      cells: [
        plain(spot.spot_number),
        <>
          {plain(spot.building_section)} {!spot.is_verified && <Unverified />}
        </>,
        plain(describePerson(people, spot.owner_id)),
        period,
        <span class={`state ${state}`}>{t(`slot.${state}`)}</span>,
        holder,
        isOpenable(slot) && (
          <button type="button" aria-label={label} onClick={() => open(slot)}>
            {t("garage.open")}
          </button>
        ),
      ],
    };
  };
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label={t("screen.garage")}>
      <LongTable
        caption={t("screen.garage")}
        columns={[
          t("board.spot"),
          t("board.section"),
          t("verification.owner"),
          t("board.time"),
          t("board.state"),
          t("garage.claimer"),
          undefined,
        ]}
        items={slots}
        row={line}
      />
    </div>
  );
}
