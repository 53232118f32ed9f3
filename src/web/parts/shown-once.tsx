import type { Child } from "../jsx.ts";
import type { Text } from "../messages/translate.ts";
import { Field, Refusal, useAction } from "./form.tsx";
import { toast } from "./toasts.tsx";

interface ShownOnceProperties {
  readonly name: string;
  readonly label: Text;
  readonly hint: Text;
  readonly value: string;
  readonly copy: Text;
  /** The message after copying. */
  readonly copied: Text;
  /** Other actions. */
  readonly children?: Child;
}

/** A secret that the service shows only once: people must copy it now. */
export function ShownOnce(properties: ShownOnceProperties) {
  const { name, label, hint, value, copy, copied, children } = properties;
  const action = useAction();
  const write = async () => {
    await navigator.clipboard.writeText(value);
    toast(copied);
  };
  return (
    <div class="stack" role="status">
      <Field
        name={name}
        label={label}
        hint={hint}
        control={(it) => (
          <input {...it} readOnly value={value} onFocus={(event) => event.currentTarget.select()} />
        )}
      />
      <div class="actions">
        {children}
        {/* A browser has a clipboard only if the page came over TLS, or from this machine. */}
        {navigator.clipboard && (
          <button type="button" aria-disabled={action.busy} onClick={() => action.run(write)}>
            {copy}
          </button>
        )}
      </div>
      <Refusal action={action} />
    </div>
  );
}
