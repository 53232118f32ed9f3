import { type Text, t } from "../../messages/translate.ts";
import { Field, Refusal, typedInto, useAction } from "../form.tsx";

interface ReasonFormProperties {
  /** What follows. */
  readonly text: Text;
  readonly button: Text;
  readonly act: (reason: string) => Promise<void>;
}

/** What an administrator does to what belongs to another, and why. */
export function ReasonForm({ text, button: name, act }: ReasonFormProperties) {
  const action = useAction();
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        const { reason = "" } = typedInto(event.currentTarget);
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
        <button type="submit" class="danger" disabled={action.busy}>
          {name}
        </button>
      </div>
    </form>
  );
}
