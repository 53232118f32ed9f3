import { useMemo } from "preact/hooks";
import { plain } from "../../messages/translate.ts";
import { UnverifiedMark } from "../../parts/unverified.tsx";
import type { Period } from "./scale.ts";
import { Slot, type SlotProperties } from "./slot.tsx";
import type { Row } from "./slots.ts";

interface GridRowProperties extends Pick<SlotProperties, "snap" | "open"> {
  readonly row: Row;
  readonly period: Period;
  /** The bar that the Tab key reaches, if it is in this row. */
  readonly active: string | undefined;
}

/** A spot and its bars. It is drawn again only when something in it has changed. */
export function GridRow({ row, period, snap, open, active }: GridRowProperties) {
  const { spot, slots } = row;
  return useMemo(
    () => (
      <div class="row" data-row={spot.id}>
        <p class="spot" title={plain(spot.spot_number)}>
          <span class="number">{plain(spot.spot_number)}</span>
          {!spot.is_verified && <UnverifiedMark />}
        </p>
        <div class="lane" role="group" aria-label={plain(spot.spot_number)}>
          {slots.map((slot) => (
            <Slot
              key={slot.id}
              slot={slot}
              period={period}
              snap={snap}
              isActive={slot.id === active}
              open={open}
            />
          ))}
        </div>
      </div>
    ),
    [row, period.from, period.to, active],
  );
}
