import { useEffect, useState } from "preact/hooks";
import { connection } from "../api/connection.ts";
import { whenReadAgain } from "../api/live.ts";
import { ApiProblem, Unreachable } from "../api/problem.ts";
import type { Child, JSX } from "../jsx.ts";
import { type Text, t } from "../messages/translate.ts";
import { useStore } from "../store.ts";
import { typedText } from "./refusal-text.ts";
import { explain } from "./states.tsx";
import { forgetTyped, useUnsaved } from "./unsaved.ts";

/** Something that a person asked for and that takes a while. */
export interface Action {
  readonly busy: boolean;
  readonly error: unknown;
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

export function Refusal({ action: { error } }: { readonly action: Action }) {
  if (error === undefined) return null;
  const isForm = error instanceof ApiProblem && error.code === "validation_failed";
  return (
    <p class="refusal" role="alert">
      {(isForm && typedText(error.details)) || explain(error)}
    </p>
  );
}

type ButtonAttributes = Omit<JSX.IntrinsicElements["button"], "action" | "onClick">;

interface ActionButtonProperties extends ButtonAttributes {
  readonly action: Action;
  readonly act: (button: HTMLButtonElement) => Promise<void>;
}

/** A button that is busy until what it changed has been read. */
export const ActionButton = ({ action, act, ...attributes }: ActionButtonProperties) => (
  <button
    type="button"
    aria-disabled={action.busy}
    {...attributes}
    onClick={({ currentTarget }) => action.run(() => act(currentTarget))}
  />
);

interface FormButtonsProperties {
  readonly action: Action;
  readonly submit: Text;
  readonly disabled?: boolean | undefined;
  readonly cancel?: (() => void) | undefined;
}

/** The end of a form. The page asks before typed text is lost. */
function FormButtons({ action, submit, disabled, cancel }: FormButtonsProperties) {
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

type FormAttributes = Omit<JSX.IntrinsicElements["form"], "action" | "onSubmit">;

interface ActionFormProperties extends FormAttributes, Omit<FormButtonsProperties, "submit"> {
  readonly act: (form: HTMLFormElement) => Promise<void>;
  readonly submit?: Text | undefined;
  readonly buttons?: Child;
  /** The class of a bar around the refusal and the buttons. */
  readonly bar?: string;
  readonly after?: Child;
}

/** A form that runs an action, with its refusal and its buttons below the fields. */
export function ActionForm(properties: ActionFormProperties) {
  const { action, act, submit, disabled, cancel, buttons, bar, after, children, ...attributes } =
    properties;
  const end = (
    <>
      <Refusal action={action} />
      {buttons}
      {submit && (
        <FormButtons action={action} submit={submit} disabled={disabled} cancel={cancel} />
      )}
    </>
  );
  return (
    <form
      class="form"
      {...attributes}
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        action.run(() => act(form));
      }}
    >
      {children}
      {bar ? <div class={bar}>{end}</div> : end}
      {after}
    </form>
  );
}

/** The typed values of a form, by the names of its fields, trimmed. */
export function formValues(form: HTMLFormElement): Readonly<Record<string, string>> {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
  return Object.fromEntries(entries);
}
