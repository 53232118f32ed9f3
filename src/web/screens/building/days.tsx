import { t } from "../../messages/translate.ts";
import { type Action, Field } from "../../parts/form.tsx";

/** For how long the service keeps what nobody needs for ever. */
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
      <Field
        key={name}
        name={name}
        label={t(label)}
        invalid={action.invalid.includes(name)}
        control={(it) => (
          <input
            {...it}
            class="limit"
            type="number"
            inputMode="numeric"
            min={min}
            max={36_500}
            step={1}
            required
            defaultValue={values[name]}
          />
        )}
      />
    ))}
  </>
);

export const daysTyped = (typed: Readonly<Record<string, string>>): object =>
  Object.fromEntries(daysKept.map(({ name }) => [name, Number(typed[name])]));
