import type { VNode } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { connection } from "../api/connection.ts";
import { whenReadAgain } from "../api/live.ts";
import { ApiProblem, Unreachable } from "../api/problem.ts";
import { type Text, t } from "../messages/translate.ts";
import { useStore } from "../store.ts";
import { typedText } from "./refusal-text.ts";
import { explain } from "./states.tsx";
import { forgetTyped, useUnsaved } from "./unsaved.ts";

/** Something that a person asked for and that takes a while. */
export interface Action {
  readonly busy: boolean;
  readonly error: unknown;
  /** The fields that the API refused. */
  readonly invalid: readonly string[];
  /**
   * Runs the action, unless it is already running. Errors are shown. During that time its button is
   * `aria-disabled`, because a `disabled` button would lose the focus.
   */
  run(act: () => Promise<void>): void;
}

export function useAction(): Action {
  const [{ busy, error }, set] = useState<{ readonly busy: boolean; readonly error?: unknown }>({
    busy: false,
  });
  const { state } = useStore(connection);
  useEffect(() => {
    // An action that failed without a network can be tried now.
    if (state === "online") set((it) => (it.error instanceof Unreachable ? { busy: false } : it));
  }, [state]);
  return {
    busy,
    error,
    invalid: error instanceof ApiProblem ? Object.keys(error.details) : [],
    run(act) {
      if (busy) return;
      set({ busy: true });
      // The action stays busy until its changes are shown, because the same button would repeat it.
      act()
        .then(whenReadAgain)
        .then(
          () => set({ busy: false }),
          (reason: unknown) => set({ busy: false, error: reason }),
        );
    },
  };
}

/** A refusal, shown beside what was refused. */
export function Refusal({ action: { error } }: { readonly action: Action }) {
  if (error === undefined) return null;
  const isForm = error instanceof ApiProblem && error.code === "validation_failed";
  return (
    <p class="refusal" role="alert">
      {(isForm && typedText(error.details)) || explain(error)}
    </p>
  );
}

interface FormButtonsProperties {
  readonly action: Action;
  /** The text of the first button, which submits the form. */
  readonly submit: Text;
  readonly disabled?: boolean;
  readonly cancel?: () => void;
}

/** The end of a form. The page asks before typed text is lost. */
export function FormButtons({ action, submit, disabled, cancel }: FormButtonsProperties) {
  const inside = useUnsaved(action);
  const leave =
    cancel &&
    (() => {
      forgetTyped(inside.current?.closest("form") ?? document);
      cancel();
    });
  return (
    <div class="actions" ref={inside}>
      <button type="submit" class="main-action" disabled={disabled} aria-disabled={action.busy}>
        {submit}
      </button>
      {leave && (
        <button type="button" onClick={leave}>
          {t("app.cancel")}
        </button>
      )}
    </div>
  );
}

interface ControlAttributes {
  readonly id: string;
  readonly name: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": "true" | undefined;
}

interface FieldProperties {
  readonly name: string;
  readonly label: Text;
  readonly hint?: Text | undefined;
  readonly invalid?: boolean;
  readonly control: (attributes: ControlAttributes) => VNode;
}

/**
 * A label, a control and a hint: `<Field name={name} label={label} control={(it) => <input {...it}
 * />} />`.
 */
export function Field({ name, label: text, hint, invalid = false, control }: FieldProperties) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>{text}</label>
      {control({
        id,
        name,
        "aria-describedby": hint && hintId,
        "aria-invalid": invalid ? "true" : undefined,
      })}
      {hint && (
        <p id={hintId} class="quiet small">
          {hint}
        </p>
      )}
    </div>
  );
}

/** The typed values of a form, by the names of its fields, trimmed. */
export function formValues(form: HTMLFormElement): Readonly<Record<string, string>> {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
  return Object.fromEntries(entries);
}
