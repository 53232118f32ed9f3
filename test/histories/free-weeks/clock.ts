import type { Span } from "./spans.ts";

const MINUTE = 60_000;

/** How far ahead of UTC the clocks of a zone are at this moment, in milliseconds. */
function offsetAt(zone: string, moment: number): number {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    timeZoneName: "longOffset",
  }).formatToParts(moment);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours, minutes] = /^GMT(.)(\d\d):(\d\d)$/.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (60 * Number(hours ?? 0) + Number(minutes ?? 0)) * MINUTE;
}

/** The moment of a wall time that there is once, as is any hour from six to midnight. */
export function moment(zone: string, day: string, hour: number): number {
  const asUtc = Date.parse(`${day}T00:00:00Z`) + hour * 60 * MINUTE;
  return asUtc - offsetAt(zone, asUtc - offsetAt(zone, asUtc));
}

export interface Hours {
  readonly weekdays: readonly string[];
  readonly starts_at: string;
  readonly ends_at: string;
  readonly first_day: string;
  readonly last_day: string;
}

const WEEKDAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
export const weekdayOf = (day: string): string => WEEKDAYS[new Date(day).getUTCDay()] ?? "";
export const dayLater = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 1440 * MINUTE).toISOString().slice(0, 10);

/** What a pattern shares until this day. */
export function spansOf(zone: string, hours: Hours, until: string): readonly Span[] {
  const [from, to] = [hours.starts_at, hours.ends_at].map((it) => Number(it.slice(0, 2))) as [
    number,
    number,
  ];
  const spans: Span[] = [];
  for (let day = hours.first_day; day <= hours.last_day && day <= until; day = dayLater(day, 1)) {
    if (!hours.weekdays.includes(weekdayOf(day))) continue;
    const last = to <= from ? dayLater(day, 1) : day;
    spans.push([moment(zone, day, from), moment(zone, last, to)]);
  }
  return spans;
}
