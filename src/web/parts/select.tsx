import type { Text } from "../messages/translate.ts";
import type { ControlAttributes } from "./fields.tsx";

/** The words of a choice, by the value of each. */
type Options = readonly (readonly [value: string, name: Text])[];

export interface SelectProperties {
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
