import type { Profile } from "../../api/resources.ts";
import { elements, plain } from "../../elements.ts";
import { t } from "../../messages/translate.ts";
import { formatSpan } from "../../time/format.ts";
import { describe } from "../administration/people.ts";
import { isOpenable, type Row, type Slot } from "../board/slots.ts";

const { button, caption, div, span, table, tbody, td, th, thead, tr } = elements;

interface GarageTableProperties {
  readonly rows: readonly Row[];
  readonly people: ReadonlyMap<string, Profile>;
  readonly open: (slot: Slot) => void;
}

/** The garage as a table: a line for each window. */
export function GarageTable({ rows, people, open }: GarageTableProperties) {
  return div(
    { class: "table-box", tabIndex: 0, role: "region", "aria-label": t("screen.garage") },
    table(
      {},
      caption({ class: "unseen" }, t("screen.garage")),
      thead(
        {},
        tr(
          {},
          th({ scope: "col" }, t("board.spot")),
          th({ scope: "col" }, t("board.section")),
          th({ scope: "col" }, t("verification.owner")),
          th({ scope: "col" }, t("board.time")),
          th({ scope: "col" }, t("board.state")),
          th({ scope: "col" }, t("garage.claimer")),
          td({}),
        ),
      ),
      tbody(
        {},
        rows.flatMap(({ slots }) => slots.map((slot) => line(slot, people, open))),
      ),
    ),
  );
}

function line(slot: Slot, people: GarageTableProperties["people"], open: (slot: Slot) => void) {
  const { spot, window, state } = slot;
  const period = formatSpan(slot.start, slot.end);
  return tr(
    { key: window.id },
    th({ scope: "row" }, plain(spot.spot_number)),
    td({}, plain(spot.building_section)),
    td({}, plain(describe(people, spot.owner_id))),
    td({}, period),
    td({}, span({ class: `state ${state}` }, t(`slot.${state}`))),
    td({}, slot.holder),
    td(
      {},
      isOpenable(slot) &&
        button(
          {
            type: "button",
            "aria-label": t("garage.openOne", { spot: spot.spot_number, span: period }),
            onClick: () => open(slot),
          },
          t("garage.open"),
        ),
    ),
  );
}
