import { useState } from "preact/hooks";
import { t } from "../messages/translate.ts";
import type { Span } from "../time/zone.ts";
import { MomentField, momentOf, type TypedMoment, typedMoment } from "./moment-field.tsx";

/** The start and the end of a span, as typed. */
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
 * The changed times of a span, for the API. The fields show neither seconds nor which of two
 * repeated hours it is, so a time that nobody touched stays the same.
 */
export function changesOf(before: TypedSpan, typed: TypedSpan) {
  const span = spanOf(typed);
  return {
    ...(span && !isSame(before.start, typed.start) && { start_time: iso(span.start) }),
    ...(span && !isSame(before.end, typed.end) && { end_time: iso(span.end) }),
  };
}

const iso = (moment: number): string => new Date(moment).toISOString();

/**
 * The span with another start. Most spans end on the day on which they start, so the end moves to
 * another day with it. If the start passes the end, the length stays the same. The end never goes
 * beyond the last date.
 */
export function withStart(value: TypedSpan, start: TypedMoment, max?: string): TypedSpan {
  const end = followed(value, start);
  return { start, end: max !== undefined && end.date > max ? value.end : end };
}

function followed(value: TypedSpan, start: TypedMoment): TypedMoment {
  const [before, begin] = [spanOf(value), momentOf(start)];
  if (before === undefined || begin === undefined) return value.end;
  const isOfOneDay = value.start.date === value.end.date;
  if (isOfOneDay && start.date !== value.start.date) return { ...value.end, date: start.date };
  const length = before.end - before.start;
  return length > 0 && begin >= before.end ? typedMoment(begin + length) : value.end;
}

interface SpanFieldsProperties {
  readonly value: TypedSpan;
  readonly change: (value: TypedSpan) => void;
  /**
   * The first and the last date, such as 2026-11-21. If there is only one date, the field does not
   * ask for it.
   */
  readonly min?: string;
  readonly max?: string;
  /** The fields that the API refused. */
  readonly invalid?: readonly string[];
  /** For something that has begun, only the end can change. */
  readonly endOnly?: boolean;
}

const isBackwards = (typed: TypedSpan): boolean => {
  const span = spanOf(typed);
  return span !== undefined && span.end <= span.start;
};

/** Fields for start and end. The browser submits the form only if the end is after the start. */
export function SpanFields(properties: SpanFieldsProperties) {
  const { value, change, min, max, invalid = [], endOnly = false } = properties;
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
        wrong={isWrong ? t("time.endBeforeStart") : undefined}
      />
    </div>
  );
}
