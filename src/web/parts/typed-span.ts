import {
  dateOf,
  instantOf,
  isDate,
  iso,
  isTime,
  type Span,
  timeOf,
  timeZone,
} from "../time/zone.ts";

/** A typed date and time; empty while they are incomplete. */
export interface TypedMoment {
  readonly date: string;
  readonly time: string;
}

const typedMoment = (instant: number): TypedMoment => ({
  date: dateOf(instant, timeZone()),
  time: timeOf(instant, timeZone()),
});

/** The moment, in the time zone of the building, or undefined while it is incomplete. */
export const momentOf = ({ date, time }: TypedMoment): number | undefined =>
  isDate(date) && isTime(time) ? instantOf(date, time, timeZone()) : undefined;

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
