import { useId } from "preact/hooks";
import { type Text, t } from "../messages/translate.ts";
import { dateOf, instantOf, isDate, isTime, type Span, timeOf, timeZone } from "../time/zone.ts";

/** A date and a time as they are typed; empty while they are incomplete. */
interface TypedMoment {
  readonly date: string;
  readonly time: string;
}

const typedMoment = (instant: number): TypedMoment => ({
  date: dateOf(instant, timeZone()),
  time: timeOf(instant, timeZone()),
});

/** The moment, in the time zone of the building, or undefined while it is incomplete. */
const momentOf = ({ date, time }: TypedMoment): number | undefined =>
  isDate(date) && isTime(time) ? instantOf(date, time, timeZone()) : undefined;

/** From a moment until another, as they are typed. */
export interface TypedSpan {
  readonly start: TypedMoment;
  readonly end: TypedMoment;
}

export const typedSpan = ({ start, end }: Span): TypedSpan => ({
  start: typedMoment(start),
  end: typedMoment(end),
});

/** Undefined while it is incomplete. */
export function spanOf(typed: TypedSpan): Span | undefined {
  const [start, end] = [momentOf(typed.start), momentOf(typed.end)];
  return start === undefined || end === undefined ? undefined : { start, end };
}

const isSame = (one: TypedMoment, other: TypedMoment): boolean =>
  one.date === other.date && one.time === other.time;

/**
 * What of a span was typed anew, as the API takes it. The fields show neither seconds nor which of the two
 * a repeated hour is, so what nobody touched stays as it was.
 */
export function changesOf(before: TypedSpan, typed: TypedSpan) {
  const span = spanOf(typed);
  return {
    ...(span && !isSame(before.start, typed.start) && { start_time: iso(span.start) }),
    ...(span && !isSame(before.end, typed.end) && { end_time: iso(span.end) }),
  };
}

const iso = (moment: number): string => new Date(moment).toISOString();

/** Where the start passes the end, the end moves along, as far from it as it was. */
function endAfter(start: TypedMoment, before: TypedSpan): TypedMoment {
  const [span, from] = [spanOf(before), momentOf(start)];
  if (span === undefined || from === undefined || from < span.end || span.start >= span.end) {
    return before.end;
  }
  return typedMoment(from + span.end - span.start);
}

interface SpanFieldsProperties {
  readonly value: TypedSpan;
  readonly change: (value: TypedSpan) => void;
  /** The first and the last date, such as 2026-11-21. With only one, the date is not asked for. */
  readonly min?: string;
  readonly max?: string;
  /** What the API refused. */
  readonly invalid?: readonly string[];
  /** Of what has begun, only the end can be another. */
  readonly endOnly?: boolean;
}

/** From when, until when. */
export function SpanFields(properties: SpanFieldsProperties) {
  const { value, change, min, max, invalid = [], endOnly = false } = properties;
  return (
    <div class="fields">
      {!endOnly && (
        <MomentField
          name="start"
          label={t("time.from")}
          value={value.start}
          change={(start) => change({ start, end: endAfter(start, value) })}
          min={min}
          max={max}
          invalid={invalid.includes("start_time")}
        />
      )}
      <MomentField
        name="end"
        label={t("time.until")}
        value={value.end}
        change={(end) => change({ ...value, end })}
        min={min}
        max={max}
        invalid={invalid.includes("end_time")}
      />
    </div>
  );
}

interface MomentFieldProperties {
  readonly name: string;
  readonly label: Text;
  readonly value: TypedMoment;
  readonly change: (value: TypedMoment) => void;
  readonly min: string | undefined;
  readonly max: string | undefined;
  readonly invalid: boolean;
}

/** Date and time side by side. Browsers show both as the person's language writes them. */
function MomentField(properties: MomentFieldProperties) {
  const { name, value, change, min, max, invalid } = properties;
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
