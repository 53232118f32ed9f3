/** The arrow keys move from bar to bar, so that the Tab key passes the whole board in one step. */

const bars = (row: Element): readonly HTMLElement[] => [
  ...row.querySelectorAll<HTMLElement>("button.slot"),
];

const middle = (bar: HTMLElement): number => {
  const { left, width } = bar.getBoundingClientRect();
  return left + width / 2;
};

function nearest(row: Element, x: number): HTMLElement | undefined {
  return bars(row).toSorted((a, b) => Math.abs(middle(a) - x) - Math.abs(middle(b) - x))[0];
}

/** The nearest bar in time in the next row above or below that has bars. */
function inOtherRow(rows: readonly Element[], from: HTMLElement, step: 1 | -1) {
  const own = rows.findIndex((row) => row.contains(from));
  const others = step === 1 ? rows.slice(own + 1) : rows.slice(0, own).toReversed();
  const next = others.find((row) => bars(row).length > 0);
  return next && nearest(next, middle(from));
}

/** Moves the focus, and returns whether it did. */
export function moveFocus(board: HTMLElement, key: string): boolean {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || !focused.matches("button.slot")) return false;
  const rows = [...board.querySelectorAll("[data-row]")];
  const own = bars(focused.closest("[data-row]") ?? board);
  const place = own.indexOf(focused);
  const targets: Readonly<Record<string, () => HTMLElement | undefined>> = {
    ArrowLeft: () => own[place - 1],
    ArrowRight: () => own[place + 1],
    Home: () => own[0],
    End: () => own.at(-1),
    ArrowUp: () => inOtherRow(rows, focused, -1),
    ArrowDown: () => inOtherRow(rows, focused, 1),
  };
  const target = targets[key];
  if (target === undefined) return false;
  target()?.focus();
  return true;
}
