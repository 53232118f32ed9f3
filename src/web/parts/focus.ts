/**
 * A press may remove the focused element, such as an entry of a list. The browser then focuses
 * nothing, and keyboard users start again at the top of the page. So the focus moves to the next
 * entry or, if there is none, to the heading. After a tap the page does not scroll there.
 * Called once.
 */
export function keepFocus(): void {
  let last: HTMLElement | null = null;
  /**
   * The last focused element outside of dialogs, such as the one that opened the dialog. If it is
   * removed, the control beside it.
   */
  let outside: HTMLElement | null | undefined;
  let isTapped = false;
  const remember = ({ target }: FocusEvent) => {
    last = target instanceof HTMLElement ? target : null;
    isTapped = !last?.matches(":focus-visible");
    if (!last?.closest("dialog")) outside = last;
  };
  const forget = () => {
    // A moment later it is known whether the person left the element or it was removed.
    queueMicrotask(() => {
      if (last?.isConnected && document.activeElement === document.body) last = null;
    });
  };
  const observer = new MutationObserver((changes) => {
    const lost = last;
    if (outside && !outside.isConnected) outside = controlBeside(outside, changes);
    if (!lost || lost.isConnected || document.activeElement !== document.body) return;
    last = null;
    const next = controlBeside(lost, changes) ?? outside;
    (next ?? document.querySelector("h1"))?.focus({
      preventScroll: !!next || isTapped,
    });
  });
  addEventListener("focusin", remember);
  addEventListener("focusout", forget);
  observer.observe(document, { childList: true, subtree: true });
}

/** The first control of the entry beside the lost one. It may be the result of the press. */
const controlBeside = (lost: Element, changes: readonly MutationRecord[]) => {
  const removal = changes.find(({ removedNodes }) =>
    [...removedNodes].some((node) => node.contains(lost)),
  );
  const entry = removal && entryBeside(removal);
  return entry?.querySelector<HTMLElement>("[tabindex], button:enabled, a[href], input:enabled");
};

/** An entry of the list that lost an entry, or the entry that lost its list. */
function entryBeside({ nextSibling, previousSibling, target }: MutationRecord): Element | null {
  const beside = [nextSibling, previousSibling].find(isEntry);
  if (beside) return beside;
  if (!(target instanceof Element && target.isConnected)) return null;
  return target.querySelector(":scope > li") ?? target.closest(ENTRY);
}

const ENTRY = "li, [data-row]";

const isEntry = (node: Node | null | undefined): node is Element =>
  node instanceof Element && node.isConnected && node.matches(ENTRY);
