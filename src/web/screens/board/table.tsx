import { plain, t } from "../../messages/translate.ts";
import { formatSpan } from "../../time/format.ts";
import { isClaimable, type Row, type Slot } from "./slots.ts";

interface BoardTableProperties {
  readonly rows: readonly Row[];
  readonly open: (slot: Slot) => void;
}

/** The board as a table: a line for each window. */
export function BoardTable({ rows, open }: BoardTableProperties) {
  return (
    <div class="table-box">
      <table>
        <caption class="unseen">{t("screen.board")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("board.spot")}</th>
            <th scope="col">{t("board.section")}</th>
            <th scope="col">{t("board.time")}</th>
            <th scope="col">{t("board.state")}</th>
            <td />
          </tr>
        </thead>
        <tbody>{rows.flatMap(({ slots }) => slots.map((slot) => line(slot, open)))}</tbody>
      </table>
    </div>
  );
}

const line = (slot: Slot, open: (slot: Slot) => void) => (
  <tr key={slot.window.id}>
    <th scope="row">{plain(slot.spot.spot_number)}</th>
    <td>{plain(slot.spot.building_section)}</td>
    <td>{formatSpan(slot.start, slot.end)}</td>
    <td>
      <span class={`state ${slot.state}`}>{t(`slot.${slot.state}`)}</span>
    </td>
    <td>
      {isClaimable(slot) && (
        <button type="button" onClick={() => open(slot)}>
          {t("claim.claim")}
        </button>
      )}
    </td>
  </tr>
);
