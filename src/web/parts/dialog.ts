import { useEffect, useId, useRef } from "preact/hooks";
import { type Child, elements, type Text } from "../elements.ts";
import { t } from "../messages/translate.ts";
import { icon } from "../shell/icons.ts";

const { button, dialog, div, h2 } = elements;

interface DialogProperties {
  readonly title: Text;
  /** Called when the person leaves: by the button, by Escape, or by a click beside it. */
  readonly close: () => void;
  readonly content: Child;
}

/** Above the screen, which cannot be reached meanwhile. The browser moves the focus in and back. */
export function Dialog({ title, close, content }: DialogProperties) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opened = ref.current;
    const before = document.activeElement;
    opened?.showModal();
    return () => {
      opened?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return dialog(
    {
      ref,
      "aria-labelledby": id,
      onCancel: (event) => {
        event.preventDefault();
        close();
      },
      onClick: (event) => {
        if (event.target === ref.current) close();
      },
    },
    div(
      { class: "dialog-head" },
      h2({ id }, title),
      button(
        { type: "button", class: "plain", "aria-label": t("app.close"), onClick: close },
        icon("close"),
      ),
    ),
    div({ class: "dialog-body" }, content),
  );
}
