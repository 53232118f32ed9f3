import type { Text } from "../messages/translate.ts";
import { type Action, Field } from "./form.tsx";

interface NumberFieldProperties {
  readonly name: string;
  readonly label: Text;
  readonly hint?: Text | undefined;
  readonly action: Action;
  readonly min: number;
  readonly max?: number | undefined;
  readonly required?: boolean;
  readonly placeholder?: Text | undefined;
  readonly value?: number | null | undefined;
}

/** A field for a whole number. */
export const NumberField = (properties: NumberFieldProperties) => {
  const { name, label, hint, action, value, ...limits } = properties;
  return (
    <Field
      name={name}
      label={label}
      hint={hint}
      invalid={action.invalid.includes(name)}
      control={(it) => (
        <input
          {...it}
          {...limits}
          class="limit"
          type="number"
          inputMode="numeric"
          step={1}
          defaultValue={value ?? ""}
        />
      )}
    />
  );
};
