import { locale, plain, type Text, t } from "../messages/translate.ts";
import { NumberField, type NumberFieldProperties, Select } from "./fields.tsx";

/** In minutes. */
const units = { minute: 1, hour: 60, day: 24 * 60 } as const;
type Unit = keyof typeof units;
const all = Object.keys(units) as readonly Unit[];

/** The largest unit in which a length is a whole number. */
const unitOf = (minutes: number | null | undefined): Unit =>
  minutes == null ? "hour" : (all.findLast((unit) => minutes % units[unit] === 0) ?? "minute");

/** Such as `hours`. */
const nameOf = (unit: Unit): Text =>
  plain((2).toLocaleString(locale, { style: "unit", unit, unitDisplay: "long" }).slice(2));

interface LengthFieldProperties extends Omit<NumberFieldProperties, "placeholder"> {
  /** What applies where the field is empty. */
  readonly otherwise?: number | null | undefined;
}

/** A length as people say it: a number and its unit, both under the name of the field. */
export function LengthField({ value, otherwise, ...field }: LengthFieldProperties) {
  const unit = unitOf(value ?? otherwise);
  return (
    <NumberField
      {...field}
      value={value == null ? value : value / units[unit]}
      placeholder={otherwise == null ? undefined : plain(String(otherwise / units[unit]))}
      beside={
        <Select
          name={field.name}
          aria-label={t("mail.unit", { field: t(field.label) })}
          value={unit}
          options={all.map((one) => [one, nameOf(one)])}
        />
      }
    />
  );
}

/** The minutes in a field for a length; null where it is empty. */
export function minutesTyped(form: HTMLFormElement, name: string): number | null {
  const [number, unit] = new FormData(form).getAll(name);
  return number ? Number(number) * units[unit as Unit] : null;
}
