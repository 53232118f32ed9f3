import type { VNode } from "preact";
import { useContext, useId } from "preact/hooks";
import type { Child } from "../jsx.ts";
import type { MessageKey } from "../messages/en.ts";
import { type Text, t } from "../messages/translate.ts";
import { ActionAround } from "./form.tsx";

interface ControlAttributes {
  readonly id: string;
  readonly name: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": "true" | undefined;
}

interface LabelledProperties {
  readonly name: string;
  readonly label: MessageKey;
  readonly hint?: MessageKey | undefined;
  /** The values in the hint. */
  readonly values?: Readonly<Record<string, string>> | undefined;
  /** Words of people instead of the label. */
  readonly title?: Text | undefined;
  /** The label says that people may leave it out. */
  readonly optional?: boolean | undefined;
}

interface FieldProperties extends LabelledProperties {
  readonly control: (attributes: ControlAttributes) => VNode;
}

export function Field({ name, label, hint, values, title, optional, control }: FieldProperties) {
  const id = useId();
  const action = useContext(ActionAround);
  const hintId = `${id}-hint`;
  const note = hint && t(hint, values);
  const text = title ?? t(label);
  return (
    <div class="field">
      <label for={id}>{optional ? t("app.optional", { field: text }) : text}</label>
      {control({
        id,
        name,
        "aria-describedby": note && hintId,
        "aria-invalid": action?.invalid.includes(name) ? "true" : undefined,
      })}
      {note && (
        <p id={hintId} class="quiet small">
          {note}
        </p>
      )}
    </div>
  );
}

interface TextFieldProperties extends LabelledProperties {
  readonly type?: "date" | "email" | "tel" | "time" | "url";
  readonly value?: string | null | undefined;
  /** Without it, only the form knows what is typed. */
  readonly change?: ((value: string) => void) | undefined;
  readonly required?: boolean;
  readonly autocapitalize?: "characters";
  readonly spellcheck?: boolean;
  readonly autocomplete?: "name" | "off" | "tel";
  /** A dialog opens with the focus here. */
  readonly autofocus?: boolean;
  readonly list?: string;
  readonly min?: string;
  readonly max?: string;
}

export function TextField(properties: TextFieldProperties) {
  const { name, label, hint, values, title, optional, value: given, ...others } = properties;
  const { change, ...attributes } = others;
  const value = given ?? "";
  return (
    <Field
      {...{ name, label, hint, values, title, optional }}
      control={(it) => (
        <input
          {...attributes}
          {...it}
          {...(change
            ? { value, onInput: ({ currentTarget }) => change(currentTarget.value) }
            : { defaultValue: value })}
        />
      )}
    />
  );
}

/** A number plate. Phones write it in capitals, and do not correct it. */
export const PlateField = (properties: TextFieldProperties) => (
  <TextField {...properties} autocomplete="off" autocapitalize="characters" spellcheck={false} />
);

export interface NumberFieldProperties extends LabelledProperties {
  readonly required?: boolean;
  readonly placeholder?: Text | undefined;
  readonly value?: number | null | undefined;
  /** Such as the unit of the number. */
  readonly beside?: VNode;
}

/**
 * A field for a whole number. The service says which numbers are too small or too large, in the
 * language of the page: a browser would do so in its own.
 */
export const NumberField = ({
  value,
  required,
  placeholder,
  beside,
  ...field
}: NumberFieldProperties) => (
  <Field
    {...field}
    control={(it) => (
      <div class="number">
        <input
          {...it}
          class="limit"
          type="number"
          step="any"
          inputMode="decimal"
          required={required}
          placeholder={placeholder}
          defaultValue={value ?? ""}
        />
        {beside}
      </div>
    )}
  />
);

/** The words of a choice, by the value of each. */
type Options = readonly (readonly [value: string, name: Text])[];

interface SelectProperties {
  readonly options: Options;
  readonly value: string;
  /** Without it, only the form knows what is chosen. */
  readonly change?: ((value: string) => void) | undefined;
}

export const Select = ({
  options,
  value,
  change,
  ...attributes
}: SelectProperties & Partial<ControlAttributes> & { readonly "aria-label"?: Text }) => (
  <select
    {...attributes}
    {...(change && { value, onChange: ({ currentTarget }) => change(currentTarget.value) })}
  >
    {options.map(([option, name]) => (
      <option key={option} value={option} selected={option === value}>
        {name}
      </option>
    ))}
  </select>
);

export const SelectField = ({
  options,
  value,
  change,
  ...field
}: SelectProperties & LabelledProperties) => (
  <Field
    {...field}
    control={(it) => <Select {...it} options={options} value={value} change={change} />}
  />
);

interface CheckProperties {
  readonly type?: "radio";
  readonly name?: string;
  readonly value?: string;
  /** What the box shows at first or, with `change`, always. */
  readonly checked: boolean;
  readonly change?: (checked: boolean) => void;
  readonly disabled?: boolean | undefined;
  readonly children: Child;
}

export const Check = ({ checked, change, children, ...attributes }: CheckProperties) => (
  <label class="check">
    <input
      type="checkbox"
      {...attributes}
      {...(change
        ? { checked, onChange: ({ currentTarget }) => change(currentTarget.checked) }
        : { defaultChecked: checked })}
    />
    {children}
  </label>
);
