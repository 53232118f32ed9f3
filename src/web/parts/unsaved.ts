import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../messages/translate.ts";
import { guardLeaving } from "../routing.ts";

/** Forms in which somebody has typed what is not saved. */
const unsaved = new Set<HTMLFormElement>();

/** Whether the forms that are shown may go. Where something would be lost, the person decides. */
export function mayLeave(): boolean {
  if (unsaved.size > 0 && !confirm(t("app.unsaved"))) return false;
  forgetTyped();
  return true;
}

/** For a person who cancels: that is no accident. */
export const forgetTyped = (): void => unsaved.clear();

/** Called once. */
export function startGuarding(): void {
  guardLeaving(mayLeave);
  addEventListener("beforeunload", (event) => {
    if (unsaved.size > 0) event.preventDefault();
  });
}

interface Sending {
  readonly busy: boolean;
  readonly error: unknown;
}

/** Notes what is typed into the form around an element, until it is sent and not refused. */
export function useUnsaved({ busy, error }: Sending) {
  const inside = useRef<HTMLDivElement>(null);
  const isTyped = useRef(false);
  // Before anybody can type.
  useLayoutEffect(() => {
    const form = inside.current?.closest("form");
    if (!form) return;
    const note = () => {
      isTyped.current = true;
      unsaved.add(form);
    };
    form.addEventListener("input", note);
    return () => {
      form.removeEventListener("input", note);
      unsaved.delete(form);
    };
  }, []);
  useEffect(() => {
    const form = inside.current?.closest("form");
    if (!form) return;
    // What is being sent is not lost: what follows a success may lead to another screen.
    if (busy) unsaved.delete(form);
    else if (error === undefined) isTyped.current = false;
    else if (isTyped.current) unsaved.add(form);
  }, [busy, error]);
  return inside;
}
