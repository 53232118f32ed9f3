import { elements, plain } from "../../elements.ts";
import { t } from "../../messages/translate.ts";
import { formatSpan } from "../../time/format.ts";
import { isClaimable, type Row, type Slot } from "./slots.ts";

const { button, caption, div, span, table, tbody, td, th, thead, tr } = elements;

interface BoardTableProperties {
  readonly rows: readonly Row[];
  readonly open: (slot: Slot) => void;
}

/** The board as a table: a line for each window. */
export function BoardTable({ rows, open }: BoardTableProperties) {
  return div(
    { class: "table-box" },
    table(
      {},
      caption({ class: "unseen" }, t("screen.board")),
      thead(
        {},
        tr(
          {},
          th({ scope: "col" }, t("board.spot")),
          th({ scope: "col" }, t("board.section")),
          th({ scope: "col" }, t("board.time")),
          th({ scope: "col" }, t("board.state")),
          td({}),
        ),
      ),
      tbody(
        {},
        rows.flatMap(({ slots }) => slots.map((slot) => line(slot, open))),
      ),
    ),
  );
}

const line = (slot: Slot, open: (slot: Slot) => void) =>
  tr(
    { key: slot.window.id },
    th({ scope: "row" }, plain(slot.spot.spot_number)),
    td({}, plain(slot.spot.building_section)),
    td({}, formatSpan(slot.start, slot.end)),
    td({}, span({ class: `state ${slot.state}` }, t(`slot.${slot.state}`))),
    td(
      {},
      isClaimable(slot) && button({ type: "button", onClick: () => open(slot) }, t("claim.claim")),
    ),
  );
