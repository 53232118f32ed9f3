/**
 * A person who presses twice means the first control. By the second press, another control may be
 * under the finger or have the focus: a button went, a list closed up, or a dialog opened. A
 * control that is new in its place, or has moved, can be pressed after a second.
 */
interface Press {
  readonly control: Element;
  /** Undefined for a key. */
  readonly place: Place | undefined;
  readonly at: number;
  /** The time when another control took its place. */
  otherSince: number | undefined;
  /** The positions of all controls, with the time of the last move for those that have moved. */
  readonly positions: Map<Element, Position & { readonly since?: number }>;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

interface Position {
  readonly seen: Place;
  /** The position as if nothing around it were scrolled. */
  readonly laidOut: Place;
}

const PAUSE = 1_000;
/** Answers until this time still change what is under the finger. */
const LASTS = 20_000;
/** In pixels: a finger does not hit exactly the same place twice. */
const NEAR = 24;
const MOVED = 8;

const CONTROLS = "button, a, summary";

const controlOf = (target: Element | null): Element | null => target?.closest(CONTROLS) ?? target;

const distance = (one: Place, other: Place): number => Math.hypot(one.x - other.x, one.y - other.y);

function positionOf(control: Element): Position {
  const { x, y } = control.getBoundingClientRect();
  let [left, top] = [x, y];
  for (let box = control.parentElement; box; box = box.parentElement) {
    left += box.scrollLeft;
    top += box.scrollTop;
  }
  return { seen: { x, y }, laidOut: { x: left, y: top } };
}

/**
 * Scrolling does not count, because the person expects it. It moves everything except fixed and
 * sticky elements.
 */
const isElsewhere = (before: Position, now: Position): boolean =>
  distance(before.seen, now.seen) > MOVED && distance(before.laidOut, now.laidOut) > MOVED;

const isInSight = (control: Element): boolean => {
  const { top, bottom, width } = control.getBoundingClientRect();
  return width > 0 && bottom > 0 && top < innerHeight;
};

function begin(control: Element, place: Place | undefined, at: number): Press {
  const controls = [...document.querySelectorAll(CONTROLS)].filter(isInSight);
  const positions = new Map(controls.map((it) => [it, positionOf(it)]));
  return { control, place, at, otherSince: undefined, positions };
}

/** Notes which controls are no longer in their place. */
function look(press: Press, now: number): void {
  const { control, place, positions } = press;
  const there = place ? document.elementFromPoint(place.x, place.y) : document.activeElement;
  if (controlOf(there) !== control) press.otherSince ??= now;
  for (const [it, before] of positions) {
    const position = positionOf(it);
    const since = isElsewhere(before, position) ? { since: now } : {};
    // Update the position each time: a control that got a new place in the layout, and is scrolled
    // later, has not moved.
    positions.set(it, { ...before, ...position, ...since });
  }
}

function isMistaken(
  press: Press,
  control: Element,
  place: Place | undefined,
  now: number,
): boolean {
  if (now - press.at > LASTS || control === press.control) return false;
  const was = press.positions.get(control);
  const hasMoved = was !== undefined && isElsewhere(was, positionOf(control));
  const since = hasMoved ? now : (was?.since ?? Number.NEGATIVE_INFINITY);
  const isThere =
    place && press.place ? distance(place, press.place) < NEAR : place === press.place;
  return now - since < PAUSE || (isThere && now - (press.otherSince ?? press.at) < PAUSE);
}

/** Called once. */
export function guardPresses(): void {
  let last: Press | undefined;
  let isAwaited = false;
  new MutationObserver(() => {
    if (isAwaited || !last) return;
    isAwaited = true;
    requestAnimationFrame(() => {
      isAwaited = false;
      const now = performance.now();
      if (last && now - last.at < LASTS) look(last, now);
    });
  }).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    characterData: true,
  });
  // A person who uses another key moves the focus on purpose.
  addEventListener("keydown", ({ key }) => {
    if (key !== "Enter" && key !== " ") last = undefined;
  });
  addEventListener(
    "click",
    (event) => {
      const { target, detail, clientX: x, clientY: y } = event;
      // A press by a program is intended, and a label presses its field.
      if (!event.isTrusted || !(target instanceof Element)) return;
      if (target.closest("label, input, select, textarea")) return;
      const control = controlOf(target) ?? target;
      const place = detail === 0 ? undefined : { x, y };
      const now = performance.now();
      if (last && isMistaken(last, control, place, now)) {
        look(last, now); // controls that moved for another reason rest from now on
        last.otherSince = now;
        event.preventDefault();
        event.stopImmediatePropagation();
      } else last = begin(control, place, now);
    },
    { capture: true },
  );
}
