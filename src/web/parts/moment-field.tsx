import { useId } from "preact/hooks";
import { timeZone } from "../api/building.ts";
import { type Text, t } from "../messages/translate.ts";
import { dateOf, instantOf, isDate, isTime, timeOf } from "../time/zone.ts";

/** A date and a time as they are typed; empty while they are incomplete. */
export interface TypedMoment {
  readonly date: string;
  readonly time: string;
}

export const typed = (instant: number): TypedMoment => ({
  date: dateOf(instant, timeZone()),
  time: timeOf(instant, timeZone()),
});

/** The moment, in the time zone of the building, or undefined while it is incomplete. */
export const momentOf = ({ date, time }: TypedMoment): number | undefined =>
  isDate(date) && isTime(time) ? instantOf(date, time, timeZone()) : undefined;

interface MomentFieldProperties {
  readonly name: string;
  readonly label: Text;
  readonly value: TypedMoment;
  readonly change: (value: TypedMoment) => void;
  /** The first and the last date, such as 2026-11-21. With only one, the date is not asked for. */
  readonly min?: string;
  readonly max?: string;
  readonly invalid?: boolean;
}

/** Date and time side by side. Browsers show both as the person's language writes them. */
export function MomentField(properties: MomentFieldProperties) {
  const { name, value, change, min, max, invalid = false } = properties;
  const id = useId();
  const state = { "aria-invalid": invalid ? "true" : undefined, required: true } as const;
  const isOneDay = min !== undefined && min === max;
  return (
    <fieldset class="moment">
      <legend>{properties.label}</legend>
      {!isOneDay && (
        <div>
          <label for={`${id}-date`} class="unseen">
            {t("time.date")}
          </label>
          <input
            {...state}
            id={`${id}-date`}
            name={`${name}_date`}
            type="date"
            min={min}
            max={max}
            value={value.date}
            onInput={(event) => change({ ...value, date: event.currentTarget.value })}
          />
        </div>
      )}
      <div>
        <label for={`${id}-time`} class="unseen">
          {t("time.time")}
        </label>
        <input
          {...state}
          id={`${id}-time`}
          name={`${name}_time`}
          type="time"
          step={300}
          value={value.time}
          onInput={(event) => change({ ...value, time: event.currentTarget.value })}
        />
      </div>
    </fieldset>
  );
}
