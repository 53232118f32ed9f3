import { elements, part, type Text } from "../../elements.ts";
import { t } from "../../messages/translate.ts";
import { Field, refusal, typedInto, useAction } from "../../parts/form.ts";

const { button, div, form, input, p } = elements;

interface ReasonFormProperties {
  /** What follows. */
  readonly text: Text;
  readonly button: Text;
  readonly act: (reason: string) => Promise<void>;
}

/** What an administrator does to what belongs to another, and why. */
export function ReasonForm({ text, button: name, act }: ReasonFormProperties) {
  const action = useAction();
  return form(
    {
      class: "form",
      onSubmit: (event) => {
        event.preventDefault();
        const { reason = "" } = typedInto(event.currentTarget);
        action.run(() => act(reason));
      },
    },
    p({}, text),
    part(Field, {
      name: "reason",
      label: t("admin.reason"),
      hint: t("admin.reasonHint"),
      invalid: action.invalid.includes("reason"),
      control: (it) => input({ ...it, required: true, maxLength: 300 }),
    }),
    refusal(action),
    div({ class: "actions" }, button({ class: "danger", disabled: action.busy }, name)),
  );
}
