import type { Child } from "../jsx.ts";
import type { MessageKey } from "../messages/en.ts";
import { t } from "../messages/translate.ts";
import { Field } from "./fields.tsx";
import { ActionButton } from "./form.tsx";
import { toast } from "./toasts.tsx";

interface ShownOnceProperties {
  readonly name: string;
  readonly label: MessageKey;
  readonly hint: MessageKey;
  readonly value: string;
  readonly copied: MessageKey;
  readonly children?: Child;
}

/** A secret that the service shows only once: people must copy it now. */
export function ShownOnce({ value, copied, children, ...field }: ShownOnceProperties) {
  const write = async () => {
    await navigator.clipboard.writeText(value);
    toast(t(copied));
  };
  return (
    <div class="stack" role="status">
      <Field
        {...field}
        control={(it) => (
          <input {...it} readOnly value={value} onFocus={(event) => event.currentTarget.select()} />
        )}
      />
      <div class="actions">
        {children}
        {/* A browser has a clipboard only if the page came over TLS, or from this machine. */}
        {navigator.clipboard && <ActionButton act={write} text="app.copy" />}
      </div>
    </div>
  );
}
