import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import type { Child } from "../jsx.ts";
import { type Text, t } from "../messages/translate.ts";
import { mayLeave } from "../unsaved.ts";
import { Button, Icon } from "./controls.tsx";
import { InDialog } from "./form.tsx";
import { ToastsOfDialog } from "./toasts.tsx";

interface DialogProperties {
  readonly title: Text;
  /** Called when the person leaves, with the button, Escape, or a click beside the dialog. */
  readonly close: () => void;
  readonly children: Child;
}

/** A dialog above the screen, which is inert meanwhile. The browser moves the focus in and back. */
export function Dialog({ title, close, children }: DialogProperties) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const leave = () => {
    if (mayLeave(ref.current ?? undefined)) close();
  };
  useEffect(() => ref.current?.showModal(), []);
  // It closes while it is in the document, because otherwise the browser does not restore the
  // focus; and an entry may go before the next frame.
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
        // No page can prevent a second Escape. The dialog is also closed when it is gone from the
        // screen.
        const opened = ref.current;
        if (!opened) return;
        if (mayLeave(opened)) close();
        else opened.showModal();
      }}
      onClick={(event) => {
        if (event.target === ref.current) leave();
      }}
    >
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        <Button class="plain" aria-label={t("app.close")} onClick={leave}>
          <Icon name="close" />
        </Button>
      </div>
      <div class="stack dialog-body">
        <InDialog value={close}>{children}</InDialog>
      </div>
      <ToastsOfDialog />
    </dialog>
  );
}
