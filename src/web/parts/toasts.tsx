import { type Text, t } from "../messages/translate.ts";
import { createStore, useStore } from "../store.ts";
import { Icon } from "./icons.tsx";

interface Toast {
  readonly text: Text;
  /** Such as undoing what was done. */
  readonly action?: { readonly name: Text; readonly run: () => void };
}

const current = createStore<Toast | undefined>(undefined);

/** Long enough to be read, and to be undone by keyboard. */
const LASTS = 12_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says what was done. The next one replaces it. */
export function toast(text: Text, action?: Toast["action"]): void {
  clearTimeout(timer);
  timer = setTimeout(dismiss, LASTS);
  current.set({ text, ...(action && { action }) });
}

/** Says what others did. It takes the place of nothing that can be undone. */
export function announce(text: Text, action: Toast["action"]): void {
  if (current.get()?.action) waiting = { text, ...(action && { action }) };
  else toast(text, action);
}

let waiting: Toast | undefined;

function dismiss(): void {
  const { text, action } = waiting ?? {};
  waiting = undefined;
  if (text === undefined) current.set(undefined);
  else toast(text, action);
}

export function Toasts() {
  const shown = useStore(current);
  const { action } = shown ?? {};
  const act = () => {
    dismiss();
    action?.run();
  };
  return (
    <div class="toasts" role="status">
      {shown && (
        <div class="toast">
          <span>{shown.text}</span>
          {action && (
            <button type="button" onClick={act}>
              {action.name}
            </button>
          )}
          <button type="button" class="plain" aria-label={t("app.close")} onClick={dismiss}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}
