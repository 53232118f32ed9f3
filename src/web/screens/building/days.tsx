import { t } from "../../messages/translate.ts";
import type { Action } from "../../parts/form.tsx";
import { NumberField } from "../../parts/number-field.tsx";

/** The settings for how long the service keeps data that nobody needs for ever. */
export const daysKept = [
  { name: "event_days", label: "building.eventDays", min: 30 },
  { name: "notification_days", label: "building.notificationDays", min: 30 },
  { name: "job_days", label: "building.jobDays", min: 7 },
] as const;

interface DaysFieldsProperties {
  readonly values: Readonly<Record<(typeof daysKept)[number]["name"], number>>;
  readonly action: Action;
}

export const DaysFields = ({ values, action }: DaysFieldsProperties) => (
  <>
    {daysKept.map(({ name, label, min }) => (
      <NumberField
        key={name}
        name={name}
        label={t(label)}
        action={action}
        min={min}
        max={36_500}
        required
        value={values[name]}
      />
    ))}
  </>
);

export const daysTyped = (typed: Readonly<Record<string, string>>): object =>
  Object.fromEntries(daysKept.map(({ name }) => [name, Number(typed[name])]));
