import { useState } from "preact/hooks";
import type { Text } from "../messages/translate.ts";
import { formatExactLength } from "../time/length.ts";
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

/** From this number on, people count in hours and days. */
const MANY_MINUTES = 90;

/** A field for a whole number. For many minutes, it also shows the hours or days. */
export function NumberField(properties: NumberFieldProperties) {
  const { name, label, hint, action, value, ...limits } = properties;
  const [typed, set] = useState(value ?? null);
  const isLong = name.endsWith("_minutes") && typed !== null && typed >= MANY_MINUTES;
  return (
    <Field
      name={name}
      label={label}
      hint={isLong ? formatExactLength(typed) : hint}
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
          onInput={({ currentTarget }) => set(currentTarget.valueAsNumber || null)}
        />
      )}
    />
  );
}
