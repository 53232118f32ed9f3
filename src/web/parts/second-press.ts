/**
 * Who presses twice means what was there at first. By then another button may be under the finger or have the
 * focus: the first one went, a list closed up, a dialog opened. Such a press does nothing, and no other for a
 * second after it.
 */
interface Press {
  readonly control: Element;
  /** Undefined where it was a key. */
  readonly place: Place | undefined;
  readonly at: number;
  /** Where all that can be pressed was then. */
  readonly places: ReadonlyMap<Element, Place>;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

const PAUSE = 1_000;
/** An answer that comes later still changes what is under the finger. */
const LASTS = 20_000;
/** In pixels: no finger hits the same place twice. */
const NEAR = 24;

const CONTROLS = "button, a, summary";

const isNear = (one: Place | undefined, other: Place | undefined, most = NEAR): boolean =>
  one === undefined || other === undefined
    ? one === other
    : Math.hypot(one.x - other.x, one.y - other.y) < most;

/** In the document, so that scrolling moves nothing. */
function placeOf(control: Element): Place {
  const { x, y } = control.getBoundingClientRect();
  return { x: x + scrollX, y: y + scrollY };
}

/** Called once. */
export function guardPresses(): void {
  let last: Press | undefined;
  let changedAt = 0;
  new MutationObserver(() => {
    changedAt = performance.now();
  }).observe(document.body, { childList: true, subtree: true });
  // Whoever uses another key goes somewhere.
  const isPress = ({ key }: KeyboardEvent) => key === "Enter" || key === " ";
  addEventListener("keydown", (event) => {
    if (!isPress(event)) last = undefined;
  });
  addEventListener("click", guard, { capture: true });

  function guard(event: MouseEvent): void {
    const { target, detail, clientX: x, clientY: y } = event;
    const isField =
      !(target instanceof Element) || target.closest("label, input, select, textarea");
    if (!event.isTrusted || isField) return;
    const control = target.closest(CONTROLS) ?? target;
    const place = detail === 0 ? undefined : { x, y };
    const at = performance.now();
    if (last && isMistaken(last, control, place, at)) {
      last = { ...last, at };
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    // What was in a closed menu has no place.
    const all = [...document.querySelectorAll(CONTROLS)].filter(
      (it) => it.getClientRects().length > 0,
    );
    last = { control, place, at, places: new Map(all.map((it) => [it, placeOf(it)])) };
  }

  function isMistaken(before: Press, control: Element, place: Place | undefined, at: number) {
    const isOld = at - before.at > LASTS || at - Math.max(before.at, changedAt) > PAUSE;
    if (isOld || control === before.control) return false;
    const was = before.places.get(control);
    const hasMoved = was !== undefined && !isNear(was, placeOf(control), 8);
    return hasMoved || isNear(before.place, place);
  }
}
