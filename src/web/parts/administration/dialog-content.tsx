import type { Child } from "../../jsx.ts";
import { type Text, t } from "../../messages/translate.ts";
import { Field, formValues, Refusal, useAction } from "../form.tsx";

interface ReasonFormProperties {
  /** The consequences. */
  readonly text: Text;
  readonly button: Text;
  readonly act: (reason: string) => Promise<void>;
}

/** A form for what an administrator does to the property of others, and for the reason. */
export function ReasonForm({ text, button: name, act }: ReasonFormProperties) {
  const action = useAction();
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        const { reason = "" } = formValues(event.currentTarget);
        action.run(() => act(reason));
      }}
    >
      <p>{text}</p>
      <Field
        name="reason"
        label={t("admin.reason")}
        hint={t("admin.reasonHint")}
        invalid={action.invalid.includes("reason")}
        control={(it) => <input {...it} required maxLength={300} />}
      />
      <Refusal action={action} />
      <div class="actions">
        <button type="submit" class="danger" aria-disabled={action.busy}>
          {name}
        </button>
      </div>
    </form>
  );
}

interface FactsProperties {
  readonly entries: readonly (readonly [Text, Child | ""])[];
}

/** Names and values, one below the other. Unknown facts are left out. */
export const Facts = ({ entries }: FactsProperties) => (
  <dl class="facts">
    {entries.map(([name, value]) =>
      value ? (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ) : null,
    )}
  </dl>
);
