import type { Profile } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { describePerson } from "../../parts/administration/people.ts";
import { formatSpan } from "../../time/format.ts";
import { isOpenable, type Row, type Slot } from "../board/slots.ts";

interface GarageTableProperties {
  readonly rows: readonly Row[];
  readonly people: ReadonlyMap<string, Profile>;
  readonly open: (slot: Slot) => void;
}

/** The garage as a table: a line for each window. */
export function GarageTable({ rows, people, open }: GarageTableProperties) {
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label={t("screen.garage")}>
      <table>
        <caption class="unseen">{t("screen.garage")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("board.spot")}</th>
            <th scope="col">{t("board.section")}</th>
            <th scope="col">{t("verification.owner")}</th>
            <th scope="col">{t("board.time")}</th>
            <th scope="col">{t("board.state")}</th>
            <th scope="col">{t("garage.claimer")}</th>
            <td />
          </tr>
        </thead>
        <tbody>{rows.flatMap(({ slots }) => slots.map((slot) => line(slot, people, open)))}</tbody>
      </table>
    </div>
  );
}

function line(slot: Slot, people: GarageTableProperties["people"], open: (slot: Slot) => void) {
  const { spot, window, state } = slot;
  const period = formatSpan(slot.start, slot.end);
  return (
    <tr key={window.id}>
      <th scope="row">{plain(spot.spot_number)}</th>
      <td>{plain(spot.building_section)}</td>
      <td>{plain(describePerson(people, spot.owner_id))}</td>
      <td>{period}</td>
      <td>
        <span class={`state ${state}`}>{t(`slot.${state}`)}</span>
      </td>
      <td>{slot.holder}</td>
      <td>
        {isOpenable(slot) && (
          <button
            type="button"
            aria-label={t("garage.openOne", { spot: spot.spot_number, span: period })}
            onClick={() => open(slot)}
          >
            {t("garage.open")}
          </button>
        )}
      </td>
    </tr>
  );
}
