import { useId } from "preact/hooks";
import { type Text, t } from "../messages/translate.ts";
import { DATES, dateOf, instantOf, isDate, isTime, timeOf, timeZone } from "../time/zone.ts";

/** A typed date and time; empty while they are incomplete. */
export interface TypedMoment {
  readonly date: string;
  readonly time: string;
}

export const typedMoment = (instant: number): TypedMoment => ({
  date: dateOf(instant, timeZone()),
  time: timeOf(instant, timeZone()),
});

/** The moment, in the time zone of the building, or undefined while it is incomplete. */
export const momentOf = ({ date, time }: TypedMoment): number | undefined =>
  isDate(date) && isTime(time) ? instantOf(date, time, timeZone()) : undefined;

/** The time that the clocks show instead of a typed time that they skip in spring. */
function shownInstead(typed: TypedMoment): string | undefined {
  const moment = momentOf(typed);
  const shown = moment === undefined ? typed.time : timeOf(moment, timeZone());
  return shown === typed.time ? undefined : shown;
}

interface MomentFieldProperties {
  readonly name: string;
  readonly label: Text;
  readonly value: TypedMoment;
  readonly change: (value: TypedMoment) => void;
  readonly min: string | undefined;
  readonly max: string | undefined;
  readonly invalid: boolean;
  /** The reason why the form cannot be submitted with it. */
  readonly wrong?: Text | undefined;
}

/** Date and time side by side. Browsers show both in the format of the person's language. */
export function MomentField(properties: MomentFieldProperties) {
  const { name, value, change, min, max, invalid, wrong } = properties;
  const id = useId();
  const isWrong = invalid || wrong !== undefined;
  const state = { "aria-invalid": isWrong ? "true" : undefined, required: true } as const;
  const isOneDay = min !== undefined && min === max;
  const instead = shownInstead(value);
  const note =
    wrong ??
    (instead === undefined ? undefined : t("time.skipped", { time: value.time, shown: instead }));
  const noteId = `${id}-note`;
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
            min={min ?? DATES.min}
            max={max ?? DATES.max}
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
          aria-describedby={note && noteId}
          ref={(input) => input?.setCustomValidity(wrong ?? "")}
          value={value.time}
          onInput={(event) => change({ ...value, time: event.currentTarget.value })}
        />
      </div>
      <p id={noteId} class="notice small" role="status" hidden={note === undefined}>
        {note}
      </p>
    </fieldset>
  );
}
