import { useMemo } from "preact/hooks";
import { plain, t } from "../../messages/translate.ts";
import type { Period } from "./scale.ts";
import { Slot, type SlotProperties } from "./slot.tsx";
import type { Row } from "./slots.ts";

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
    () => (
      <div class="row" data-row={spot.id}>
        <p class="spot">{plain(spot.spot_number)}</p>
        <div class="lane" role="group" aria-label={plain(spot.spot_number)}>
          {slots.length === 0 && <span class="unseen">{t("board.nothing")}</span>}
          {slots.map((slot) => (
            <Slot
              key={slot.window.id}
              slot={slot}
              period={period}
              snap={snap}
              isActive={slot.window.id === active}
              open={open}
            />
          ))}
        </div>
      </div>
    ),
    [row, period.from, period.to, active],
  );
}
