import { useRef, useState } from "preact/hooks";
import { plain, type Text, t } from "../../messages/translate.ts";
import { UnverifiedMark } from "../../parts/controls.tsx";
import { placeIn } from "../../parts/place.ts";
import { formatTimes, formatted, isOneDay } from "../../time/format.ts";
import { DAY, type Span } from "../../time/zone.ts";
import { isClaimable, isOpenable, type Slot as SlotOfBoard, type SlotState } from "./rows.ts";
import { momentAt } from "./scale.ts";

export interface SlotProperties {
  readonly slot: SlotOfBoard;
  readonly period: Span;
  readonly snap: number;
  readonly isActive: boolean;
  readonly open: (slot: SlotOfBoard, from?: number, until?: number) => void;
}

/** A bar of the board. With a mouse, people can drag over the part that they want. */
export function Slot({ slot, period, snap, isActive, open }: SlotProperties) {
  const drag = useDrag({ slot, period, snap, open });
  const word = slot.holder ?? t(`bar.${slot.state}`);
  const times = clockTimes(slot.start, slot.end);
  const described = describeSlot(slot, plain(`${word} ${times}`));
  const attributes = {
    class: `slot ${slot.state}`,
    style: placeIn(slot, period),
    title: described,
  };
  const content = (
    <>
      <span class="text">
        {!slot.spot.is_verified && <UnverifiedMark />}
        <span class="word">{word}</span>
        <span class="times">{plain(` ${times}`)}</span>
      </span>
      {drag.selected && <Selection selected={drag.selected} slot={slot} period={period} />}
    </>
  );
  if (!isOpenable(slot)) {
    return (
      <span {...attributes} role="img" aria-label={described}>
        {content}
      </span>
    );
  }
  return (
    <button
      {...attributes}
      {...drag.handlers}
      type="button"
      aria-label={described}
      tabIndex={isActive ? 0 : -1}
      data-slot={slot.id}
      onClick={(event) => {
        // A key has no position.
        if (!drag.endedInThisClick())
          open(slot, event.detail > 0 ? drag.momentOf(event) : undefined);
      }}
    >
      {content}
    </button>
  );
}

/**
 * The name of a bar contains its visible text, so that people who use voice control can say what
 * they see. After it comes what the colour and the column show.
 */
function describeSlot({ spot, state, start, end }: SlotOfBoard, text: Text): Text {
  const meaning = t(`slot.${state}`);
  const days = isOneDay(start, end) ? [start] : [start, end];
  const details = [
    !text.startsWith(meaning) && meaning,
    days.map((day) => formatted("day", day)).join(" – "),
    !spot.is_verified && t("spots.unverified"),
  ];
  return plain([`${spot.spot_number}: ${text}`, ...details].filter(Boolean).join(" · "));
}

/** The label above shows the day, but not the end of a bar longer than a day. */
function clockTimes(start: number, end: number): Text {
  const format = end - start < DAY ? "time" : "weekdayTime";
  return plain(`${formatted(format, start)}–${formatted(format, end)}`);
}

const between = (one: number, other: number): Span => ({
  start: Math.min(one, other),
  end: Math.max(one, other),
});

interface SelectionProperties extends Pick<SlotProperties, "slot" | "period"> {
  readonly selected: Span;
}

function Selection({ selected, slot, period }: SelectionProperties) {
  // The bar ends at the end of the board.
  const bar = {
    start: Math.max(slot.start, period.start),
    end: Math.min(slot.end, period.end),
  };
  return (
    <span class="selection" style={placeIn(selected, bar)}>
      {plain(formatTimes(selected.start, selected.end))}
    </span>
  );
}

/** In pixels: a shorter drag is a click. */
const DRAG_AT_LEAST = 6;

/** Dragging is for a mouse. A finger scrolls, and the form does the same for everybody. */
function useDrag({ slot, period, snap, open }: Omit<SlotProperties, "isActive">) {
  const [selected, select] = useState<Span | undefined>();
  const start = useRef<{ readonly x: number; readonly at: number } | undefined>(undefined);
  const dragged = useRef(false);

  const momentOf = (event: MouseEvent & { readonly currentTarget: HTMLElement }): number => {
    const lane = event.currentTarget.parentElement?.getBoundingClientRect();
    if (lane === undefined) return slot.start;
    const moment = momentAt((event.clientX - lane.left) / lane.width, period, snap);
    return Math.min(slot.end, Math.max(slot.start, moment));
  };
  type Event = PointerEvent & { readonly currentTarget: HTMLElement };
  const handlers = isClaimable(slot) && {
    onPointerDown(event: Event) {
      dragged.current = false;
      if (event.pointerType !== "mouse" || event.button !== 0) return;
      start.current = { x: event.clientX, at: momentOf(event) };
    },
    onPointerMove(event: Event) {
      const { current } = start;
      if (current === undefined || Math.abs(event.clientX - current.x) < DRAG_AT_LEAST) return;
      if (!dragged.current) event.currentTarget.setPointerCapture(event.pointerId);
      dragged.current = true;
      select(between(current.at, momentOf(event)));
    },
    onPointerUp(event: Event) {
      const { current } = start;
      start.current = undefined;
      select(undefined);
      if (current === undefined || !dragged.current) return;
      // A quick hand releases before the selection is drawn.
      const { start: from, end: until } = between(current.at, momentOf(event));
      if (from < until) open(slot, from, until);
    },
    onPointerCancel() {
      start.current = undefined;
      dragged.current = false;
      select(undefined);
    },
  };
  /** The browser makes one click from a drag. The next click is another one, such as from a key. */
  const endedInThisClick = () => {
    const { current } = dragged;
    dragged.current = false;
    return current;
  };
  return { handlers: handlers || {}, selected, momentOf, endedInThisClick };
}

/** Explains the patterns and the mark of the bars. */
export const Legend = ({ states }: { readonly states: readonly Exclude<SlotState, "over">[] }) => (
  <ul class="legend" aria-hidden="true">
    {states.map((state) => (
      <li key={state}>
        <span class={`swatch slot ${state}`} />
        {t(`slot.${state}`)}
      </li>
    ))}
    <li>
      <UnverifiedMark />
      {t("spots.unverified")}
    </li>
  </ul>
);
