import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { t } from "./messages/translate.ts";

/** The forms and similar parts with typed text that is not saved, and the names of the fields. */
const typed = new Map<Node, Set<string>>();
/** Forms that are being sent. Their text is not lost if a success leads to another screen. */
const sent = new Set<Node>();

const unsavedIn = (part: Node): readonly Node[] =>
  [...typed.keys()].filter((it) => !sent.has(it) && part.contains(it));

/** Whether the forms of a part of the page may close. If text would be lost, the person decides. */
export function mayLeave(part: Node = document): boolean {
  if (unsavedIn(part).length > 0 && !confirm(t("app.unsaved"))) return false;
  forgetTyped(part);
  return true;
}

/** Whether there is typed text that is not saved, also while it is being sent. */
export const isTyped = (): boolean => typed.size > 0;

/** For a person who cancels on purpose. */
export function forgetTyped(part: Node): void {
  for (const it of unsavedIn(part)) typed.delete(it);
}

/** Called once. */
export function startGuarding(): void {
  addEventListener("beforeunload", (event) => {
    if (unsavedIn(document).length > 0) event.preventDefault();
  });
}

/**
 * The touched fields of a form's body. The other fields may be older than what another tab or
 * person has saved.
 */
export const touchedOf = <Body extends object>(form: Node, body: Body): Partial<Body> =>
  Object.fromEntries(
    Object.entries(body).filter(([name]) => typed.get(form)?.has(name)),
  ) as Partial<Body>;

/** Notes what is typed into a form, until the form is sent and not refused. */
export function useUnsaved({ busy, error }: { readonly busy: boolean; readonly error: unknown }) {
  const ref = useRef<HTMLFormElement>(null);
  // Before anybody can type.
  useLayoutEffect(() => {
    const form = ref.current;
    if (!form) return;
    const note = ({ target }: Event) => {
      const names = typed.get(form) ?? new Set();
      if (target instanceof Element) names.add(target.getAttribute("name") ?? "");
      typed.set(form, names);
      sent.delete(form);
    };
    form.addEventListener("input", note);
    return () => {
      form.removeEventListener("input", note);
      typed.delete(form);
      sent.delete(form);
    };
  }, []);
  useEffect(() => {
    const form = ref.current;
    if (!form) return;
    if (busy) sent.add(form);
    else if (sent.delete(form) && error === undefined) typed.delete(form);
  }, [busy, error]);
  return ref;
}

/** The same for a part of the page that is not a form, and says whether something is not saved. */
export function useUnsavedPart(isUnsaved: boolean) {
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const it = part.current;
    if (!isUnsaved || it === null) return;
    typed.set(it, new Set());
    return () => {
      typed.delete(it);
    };
  }, [isUnsaved]);
  return part;
}
