import { useLayoutEffect, useRef } from "preact/hooks";
import { plain, type Text, t } from "../messages/translate.ts";
import { createStore, useStore } from "../store.ts";
import { Button, Icon } from "./controls.tsx";
import { explain } from "./states.tsx";

interface Action {
  readonly name: Text;
  readonly run: () => void;
}

interface Toast {
  readonly id: number;
  readonly text: Text;
  readonly action?: Action;
  readonly isNews: boolean;
}

/** The latest toast is the last one, at the bottom: if an older one goes, the others stay. */
const stack = createStore<readonly Toast[]>([]);
let waiting: Toast | undefined;
let made = 0;

const MOST = 3;
/** Long enough to read it, and to undo by keyboard. */
const LASTS = 12_000;
/** In pixels: more of a long entry need not be seen. */
const FAR = 160;

const isUndo = ({ action, isNews }: Toast): boolean => action !== undefined && !isNews;

const make = (text: Text, action: Action | undefined, isNews: boolean): Toast => {
  made += 1;
  return { id: made, text, isNews, ...(action && { action }) };
};

/**
 * Says what was done. Toasts that can be undone stay beside the next ones; others are replaced. If
 * undoing fails, another one says why.
 */
export function toast(text: Text, undo?: () => Promise<unknown>): void {
  const run = () => undo?.().catch((error: unknown) => toast(explain(error)));
  show(make(text, undo && { name: t("app.undo"), run }, false));
}

/** Says what others did. It never replaces a toast that can be undone. */
export function announce(text: Text, action?: Action): void {
  const news = make(text, action, true);
  if (stack.get().filter(isUndo).length < MOST) show(news);
  else waiting = news;
}

function show(toast: Toast): void {
  const isReplaced = (one: Toast) => !isUndo(one) && !isUndo(toast) && one.isNews === toast.isNews;
  const others = stack.get().filter((one) => !isReplaced(one));
  const tooMany = others.length >= MOST;
  const leaves = tooMany ? (others.find((one) => !isUndo(one)) ?? others[0]) : undefined;
  stack.set([...others.filter((one) => one !== leaves), toast]);
  setTimeout(() => remove(toast.id), LASTS);
}

function remove(id: number): void {
  stack.set(stack.get().filter((one) => one.id !== id));
  if (waiting === undefined) return;
  const news = waiting;
  waiting = undefined;
  show(news);
}

/** The number of open dialogs. A dialog is on top, and only its content can be pressed. */
const dialogs = createStore(0);

export function ToastsOfDialog() {
  useLayoutEffect(() => {
    dialogs.set(dialogs.get() + 1);
    return () => dialogs.set(dialogs.get() - 1);
  }, []);
  return <Toasts isInDialog />;
}

export function Toasts({ isInDialog = false }) {
  const isHere = useStore(dialogs) > 0 === isInDialog;
  const shown = useStore(stack);
  return (
    <div class="toasts" role="status" aria-atomic="false">
      {isHere && shown.map((one) => <Shown key={one.id} toast={one} />)}
    </div>
  );
}

/** What a finger or a mouse pressed last, and at which height. */
let pressed: { readonly entry: Element | null; readonly y: number } | undefined;
addEventListener("pointerdown", ({ target, clientY: y }) => {
  pressed = target instanceof Element ? { entry: target.closest(".card, li"), y } : undefined;
});

/** What the person pressed, with what came of it, stays in sight. */
function scrollAbove(toast: HTMLElement | null): void {
  if (!toast || !pressed?.entry || toast.closest("dialog")) return;
  const bottom = Math.min(pressed.entry.getBoundingClientRect().bottom, pressed.y + FAR);
  const hidden = bottom - toast.getBoundingClientRect().top;
  if (hidden > 0) scrollBy(0, hidden);
}

function Shown({ toast }: { readonly toast: Toast }) {
  const { id, text, action, isNews } = toast;
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!isNews) scrollAbove(box.current);
  }, []);
  const act = () => {
    remove(id);
    action?.run();
  };
  return (
    <div class="toast arriving" ref={box}>
      <span>{text}</span>
      {action && (
        <Button aria-label={plain(`${action.name}: ${text}`)} onClick={act}>
          {action.name}
        </Button>
      )}
      <Button
        class="plain"
        aria-label={plain(`${t("app.close")}: ${text}`)}
        onClick={() => remove(id)}
      >
        <Icon name="close" />
      </Button>
    </div>
  );
}

const undone = new Set<string>();

/**
 * Undoes the thing with this id, unless that was done or is in progress. A second tap, or the same
 * action in a toast and in a row, would find nothing to undo. A failed undo can be tried again.
 */
export async function undoOnce(id: string, undo: () => Promise<boolean>): Promise<void> {
  if (undone.has(id)) return;
  undone.add(id);
  let isDone = false;
  try {
    isDone = await undo();
  } finally {
    if (!isDone) undone.delete(id);
  }
}
