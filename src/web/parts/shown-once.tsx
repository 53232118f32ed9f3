import type { Child } from "../jsx.ts";
import { type Text, t } from "../messages/translate.ts";
import { Field } from "./fields.tsx";
import { ActionButton, Refusal, useAction } from "./form.tsx";
import { toast } from "./toasts.tsx";

interface ShownOnceProperties {
  readonly name: string;
  readonly label: Text;
  readonly hint: Text;
  readonly value: string;
  readonly copied: Text;
  readonly children?: Child;
}

/** A secret that the service shows only once: people must copy it now. */
export function ShownOnce({ value, copied, children, ...field }: ShownOnceProperties) {
  const action = useAction();
  const write = async () => {
    await navigator.clipboard.writeText(value);
    toast(copied);
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
        {navigator.clipboard && (
          <ActionButton action={action} act={write}>
            {t("app.copy")}
          </ActionButton>
        )}
      </div>
      <Refusal action={action} />
    </div>
  );
}
