import { createContext, type VNode } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { connection } from "../api/connection.ts";
import { whenReadAgain } from "../api/live.ts";
import { ApiProblem, Unreachable } from "../api/problem.ts";
import type { Child, JSX } from "../jsx.ts";
import type { MessageKey } from "../messages/en.ts";
import { t } from "../messages/translate.ts";
import { useStore } from "../store.ts";
import { forgetTyped, useUnsaved } from "../unsaved.ts";
import { Button, type ButtonProperties } from "./controls.tsx";
import { typedText } from "./refusal-text.ts";
import { explain } from "./states.tsx";

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

/** Why the action around it, or this one, failed. */
export function Refusal({ of }: { readonly of?: Action }) {
  const around = useContext(ActionAround);
  const { error } = of ?? around ?? {};
  if (error === undefined) return null;
  const isForm = error instanceof ApiProblem && error.code === "validation_failed";
  return (
    <p class="refusal" role="alert">
      {(isForm && typedText(error.details)) || explain(error)}
    </p>
  );
}

/** The action of the form, or of the buttons, around a part. */
export const ActionAround = createContext<Action | undefined>(undefined);

/** Closes the dialog around a part. */
const CloseAround = createContext(() => {});

export const useClose = () => useContext(CloseAround);

/** The types of Preact allow any string as a child. */
type Provider<Value> = (properties: { readonly value: Value; readonly children: Child }) => VNode;
const Around = ActionAround.Provider as Provider<Action>;
export const InDialog = CloseAround.Provider as Provider<() => void>;

/** Within it, one button acts at a time. */
export const Acting = ({ children }: { readonly children: Child }) => (
  <Around value={useAction()}>{children}</Around>
);

interface ActionButtonProperties extends Omit<ButtonProperties, "onClick"> {
  readonly act: (button: HTMLButtonElement) => Promise<void>;
}

/** A button that is busy until what it changed has been read. By itself, it says why it failed. */
export function ActionButton({ act, ...attributes }: ActionButtonProperties) {
  const own = useAction();
  const action = useContext(ActionAround) ?? own;
  return (
    <>
      <Button
        aria-disabled={action.busy}
        {...attributes}
        onClick={({ currentTarget }) => action.run(() => act(currentTarget))}
      />
      {action === own && <Refusal of={own} />}
    </>
  );
}

/** Buttons of which one acts at a time, and its refusal. */
export const Actions = ({ children }: { readonly children: Child }) => (
  <Acting>
    <Refusal />
    <div class="actions">{children}</div>
  </Acting>
);

type FormAttributes = Omit<JSX.IntrinsicElements["form"], "action" | "onSubmit">;

interface ActionFormProperties extends FormAttributes {
  readonly act: (form: HTMLFormElement) => Promise<void>;
  readonly submit?: MessageKey | undefined;
  readonly disabled?: boolean;
  /** A button leaves the dialog around it. */
  readonly cancel?: true;
  /** The class of the button. */
  readonly look?: "danger" | "usual";
  /** The class of a bar around the refusal and the buttons. */
  readonly bar?: string;
  /** Other actions, beside the button and below it. */
  readonly beside?: Child;
  readonly after?: Child;
}

/** A form that runs an action, with its refusal and its buttons below the fields. */
export function ActionForm(properties: ActionFormProperties) {
  const { act, submit, disabled, cancel, look, bar, ...others } = properties;
  const { beside, after, children, ...attributes } = others;
  const action = useAction();
  const form = useUnsaved(action);
  const close = useClose();
  const leave = () => {
    forgetTyped(form.current ?? document);
    close();
  };
  return (
    <Around value={action}>
      <form
        class="stack"
        {...attributes}
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          const { currentTarget } = event;
          action.run(() => act(currentTarget));
        }}
      >
        {children}
        <div class={bar ?? "stack"}>
          <Refusal />
          {submit && (
            <div class="actions">
              <button
                type="submit"
                class={look ?? "main-action"}
                disabled={disabled}
                aria-disabled={action.busy}
              >
                {t(submit)}
              </button>
              {cancel && <Button onClick={leave} text="app.cancel" />}
              {beside}
            </div>
          )}
        </div>
        {after}
      </form>
    </Around>
  );
}

/** The typed values of a form, by the names of its fields, trimmed. */
export function formValues(form: HTMLFormElement): Readonly<Record<string, string>> {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
  return Object.fromEntries(entries);
}
