import { useRef, useState } from "preact/hooks";
import { elements, part, plain } from "../../elements.ts";
import { t } from "../../messages/translate.ts";
import { formatSpan, formatTimes } from "../../time/format.ts";
import { momentAt, type Period, percent, position } from "./scale.ts";
import { isClaimable, isOpenable, type Slot as SlotOfBoard } from "./slots.ts";

const { button, span } = elements;

export interface SlotProperties {
  readonly slot: SlotOfBoard;
  readonly period: Period;
  readonly snap: number;
  /** Whether the key Tab leads to it. */
  readonly isActive: boolean;
  readonly open: (slot: SlotOfBoard, from?: number, until?: number) => void;
}

/** A bar of the board. A mouse may drag over the part that is wanted. */
export function Slot({ slot, period, snap, isActive, open }: SlotProperties) {
  const drag = useDrag({ slot, period, snap, open });
  const left = position(slot.start, period);
  const width = position(slot.end, period) - left;
  const described = t("board.slot", {
    spot: slot.spot.spot_number,
    state: plain([t(`slot.${slot.state}`), slot.holder].filter(Boolean).join(" · ")),
    span: formatSpan(slot.start, slot.end),
  });
  const attributes = {
    class: `slot ${slot.state}`,
    style: { left: percent(left), width: percent(width) },
    title: described,
  };
  const content = [
    span(
      { key: "text", class: "text" },
      span({ class: "word" }, slot.holder ?? t(`bar.${slot.state}`)),
      span({ class: "times" }, plain(` ${formatTimes(slot.start, slot.end)}`)),
    ),
    drag.selected && part(Selection, { key: "drag", ...drag.selected, slot }),
  ];
  if (!isOpenable(slot)) {
    return span({ ...attributes, role: "img", "aria-label": described }, ...content);
  }
  return button(
    {
      ...attributes,
      ...drag.handlers,
      type: "button",
      "aria-label": described,
      tabIndex: isActive ? 0 : -1,
      "data-slot": slot.window.id,
      onClick: () => {
        if (!drag.wasDragged()) open(slot);
      },
    },
    ...content,
  );
}

interface Selected {
  readonly from: number;
  readonly until: number;
}

function Selection({ from, until, slot }: Selected & { readonly slot: SlotOfBoard }) {
  const bar = { from: slot.start, to: slot.end };
  const left = position(from, bar);
  const style = { left: percent(left), width: percent(position(until, bar) - left) };
  return span({ class: "selection", style }, plain(formatTimes(from, until)));
}

/** Shorter than this, in pixels, it is a click. */
const DRAG_AT_LEAST = 6;

/** Dragging is for a mouse: a finger scrolls, and the form does the same for everybody. */
function useDrag({ slot, period, snap, open }: Omit<SlotProperties, "isActive">) {
  const [selected, select] = useState<Selected | undefined>();
  const start = useRef<{ readonly x: number; readonly at: number } | undefined>(undefined);
  const dragged = useRef(false);

  const momentOf = (event: PointerEvent & { readonly currentTarget: HTMLElement }): number => {
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
      const at = momentOf(event);
      select({ from: Math.min(at, current.at), until: Math.max(at, current.at) });
    },
    onPointerUp() {
      start.current = undefined;
      select(undefined);
      if (selected && selected.from < selected.until) open(slot, selected.from, selected.until);
    },
    onPointerCancel() {
      start.current = undefined;
      select(undefined);
    },
  };
  return { handlers: handlers || {}, selected, wasDragged: () => dragged.current };
}
