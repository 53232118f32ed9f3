import { useContext, useId, useState } from "preact/hooks";
import { type Text, t } from "../messages/translate.ts";
import { DATES, dateOf, type Span, timeOf, timeZone } from "../time/zone.ts";
import { ActionAround } from "./form.tsx";
import { momentOf, spanOf, type TypedMoment, type TypedSpan, withStart } from "./typed-span.ts";

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
  readonly invalid?: boolean | undefined;
  /** The reason why the form cannot be submitted with it. */
  readonly wrong?: Text | undefined;
}

/** Date and time side by side. Browsers show both in the format of the person's language. */
function MomentField(properties: MomentFieldProperties) {
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

interface SpanFieldsProperties {
  readonly value: TypedSpan;
  readonly change: (value: TypedSpan) => void;
  /** If it is within one day, the fields do not ask for the date. */
  readonly within?: Span;
  /** For something that has begun, only the end can change. */
  readonly endOnly?: boolean;
}

const isBackwards = (typed: TypedSpan): boolean => {
  const span = spanOf(typed);
  return span !== undefined && span.end <= span.start;
};

/** Fields for start and end. The browser submits the form only if the end is after the start. */
export function SpanFields(properties: SpanFieldsProperties) {
  const { value, change, within, endOnly = false } = properties;
  const min = within && dateOf(within.start, timeZone());
  const max = within && dateOf(within.end, timeZone());
  const action = useContext(ActionAround);
  // Untouched fields are not wrong. Within an hour that the clocks repeat, they may only look
  // wrong.
  const [before] = useState(value);
  const isWrong = value !== before && isBackwards(value);
  return (
    <div class="fields">
      {!endOnly && (
        <MomentField
          name="start"
          label={t("time.from")}
          value={value.start}
          change={(start) => change(withStart(value, start, max))}
          min={min}
          max={max}
          invalid={action?.invalid.includes("start_time")}
        />
      )}
      <MomentField
        name="end"
        label={t("time.until")}
        value={value.end}
        change={(end) => change({ ...value, end })}
        min={min}
        max={max}
        invalid={action?.invalid.includes("end_time")}
        wrong={isWrong ? t("time.endBeforeStart") : undefined}
      />
    </div>
  );
}
