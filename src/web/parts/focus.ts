/**
 * What had the focus may be gone once it was pressed, as an entry is that was removed. The browser then
 * gives the focus to nothing, and who uses the keyboard starts again at the top of the page. So it goes to
 * the entry beside, and where there is none, to the heading of the screen. Who tapped is not taken there:
 * they look at where they tapped.
 */
export function keepFocus(): () => void {
  let last: HTMLElement | undefined;
  /** What had it outside of dialogs, as what opened the one that has it now; what is beside, once that is gone. */
  let outside: HTMLElement | undefined;
  let isTapped = false;
  const remember = ({ target }: FocusEvent) => {
    last = target instanceof HTMLElement ? target : undefined;
    isTapped = last?.matches(":focus-visible") === false;
    if (last?.closest("dialog") == null) outside = last;
  };
  const forget = () => {
    // Afterwards it is known whether the person left it, or it was removed.
    queueMicrotask(() => {
      if (!last?.isConnected || document.activeElement !== document.body) return;
      if (outside === last) outside = undefined;
      last = undefined;
    });
  };
  const observer = new MutationObserver((changes) => {
    const lost = last;
    if (outside?.isConnected === false) outside = controlBeside(outside, changes);
    if (lost === undefined || lost.isConnected || document.activeElement !== document.body) return;
    last = undefined;
    const next = controlBeside(lost, changes) ?? outside;
    (next ?? document.querySelector("h1"))?.focus({
      preventScroll: next !== undefined || isTapped,
    });
  });
  document.addEventListener("focusin", remember);
  document.addEventListener("focusout", forget);
  observer.observe(document, { childList: true, subtree: true });
  return () => {
    document.removeEventListener("focusin", remember);
    document.removeEventListener("focusout", forget);
    observer.disconnect();
  };
}

/** Before it comes what came of the press, where that is shown. */
const controlBeside = (lost: Element, changes: readonly MutationRecord[]) => {
  const removal = changes.find(({ removedNodes }) =>
    [...removedNodes].some((node) => node.contains(lost)),
  );
  const entry = removal && entryBeside(removal);
  return (
    entry?.querySelector<HTMLElement>("[tabindex], button:enabled, a[href], input:enabled") ??
    undefined
  );
};

/** Of the list that lost an entry, or the entry that lost its list. */
function entryBeside({ nextSibling, previousSibling, target }: MutationRecord): Element | null {
  const beside = [nextSibling, previousSibling].find((node) => isEntry(node) && node.isConnected);
  if (isEntry(beside)) return beside;
  if (!(target instanceof Element && target.isConnected)) return null;
  return target.querySelector(":scope > li") ?? target.closest(ENTRY);
}

/** Of a list, or of the board. */
const ENTRY = "li, [data-row]";

const isEntry = (node: Node | null | undefined): node is Element =>
  node instanceof Element && node.matches(ENTRY);
