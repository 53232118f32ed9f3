import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import type { Child } from "../jsx.ts";
import { type Text, t } from "../messages/translate.ts";
import { Icon } from "./icons.tsx";
import { ToastsOfDialog } from "./toasts.tsx";
import { mayLeave } from "./unsaved.ts";

interface DialogProperties {
  readonly title: Text;
  /** Called when the person leaves: by the button, by Escape, or by a click beside it. */
  readonly close: () => void;
  readonly children: Child;
}

/** Above the screen, which cannot be reached meanwhile. The browser moves the focus in and back. */
export function Dialog({ title, close, children }: DialogProperties) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const leave = () => {
    if (mayLeave(ref.current ?? undefined)) close();
  };
  useEffect(() => ref.current?.showModal(), []);
  // While it is in the document: the browser leads back from no other, and an entry may go before the next frame.
  useLayoutEffect(() => () => ref.current?.close(), []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onCancel={(event) => {
        if (!event.cancelable) return;
        event.preventDefault();
        leave();
      }}
      onClose={() => {
        // Browsers let no page prevent a second Escape. It is closed, too, when it is gone from the screen.
        const opened = ref.current;
        if (opened === null) return;
        if (mayLeave(opened)) close();
        else opened.showModal();
      }}
      onClick={(event) => {
        if (event.target === ref.current) leave();
      }}
    >
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="plain" aria-label={t("app.close")} onClick={leave}>
          <Icon name="close" />
        </button>
      </div>
      <div class="dialog-body">{children}</div>
      <ToastsOfDialog />
    </dialog>
  );
}
