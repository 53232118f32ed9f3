import { useMemo } from "preact/hooks";
import { elements, part, plain } from "../../elements.ts";
import { t } from "../../messages/translate.ts";
import type { Period } from "./scale.ts";
import { Slot, type SlotProperties } from "./slot.ts";
import type { Row } from "./slots.ts";

const { div, p, span } = elements;

interface GridRowProperties extends Pick<SlotProperties, "snap" | "open"> {
  readonly row: Row;
  readonly period: Period;
  /** The bar that the key Tab leads to, if it is in this row. */
  readonly active: string | undefined;
}

/** A spot and its bars. It is drawn again only when something in it has changed. */
export function GridRow({ row, period, snap, open, active }: GridRowProperties) {
  const { spot, slots } = row;
  return useMemo(
    () =>
      div(
        { class: "row", "data-row": spot.id },
        p({ class: "spot" }, plain(spot.spot_number)),
        div(
          { class: "lane", role: "group", "aria-label": plain(spot.spot_number) },
          slots.length === 0 && span({ class: "unseen" }, t("board.nothing")),
          slots.map((slot) =>
            part(Slot, {
              key: slot.window.id,
              slot,
              period,
              snap,
              isActive: slot.window.id === active,
              open,
            }),
          ),
        ),
      ),
    [row, period.from, period.to, active],
  );
}
