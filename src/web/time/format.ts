import { formatter as formatterOf, instant, type Moment, timesIn } from "../../texts/times.ts";
import { language, locale, plain, type Text } from "../messages/translate.ts";
import {
  addDays,
  DAY,
  dateOf,
  HOUR,
  isZone,
  MINUTE,
  startOfDay,
  timeZone,
  writtenAs,
  writtenZone,
} from "./zone.ts";

/** Times in the person's language and in the time zone of the building. */

const formats = {
  date: { day: "numeric", month: "short", year: "numeric" },
  time: { hour: "2-digit", minute: "2-digit" },
  hour: { hour: "numeric" },
  day: { weekday: "short", day: "numeric", month: "short" },
  longDay: { weekday: "long", day: "numeric", month: "long" },
  weekday: { weekday: "short" },
  weekdayTime: { weekday: "short", hour: "2-digit", minute: "2-digit" },
  month: { month: "long" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

type Format = keyof typeof formats;

/** People who read English for lack of their own language get the hour format of their own. */
function localeOfTimes(): string {
  if (locale !== "en") return locale;
  const { hourCycle } = formatterOf(navigator.language, { hour: "numeric" }).resolvedOptions();
  return hourCycle ? `en-u-hc-${hourCycle}` : locale;
}

const formatter = (format: Format): Intl.DateTimeFormat =>
  formatterOf(localeOfTimes(), { ...formats[format], timeZone: writtenZone() });

const at = (moment: Moment): number => writtenAs(instant(moment));

export const times = () =>
  timesIn(language, writtenZone(), localeOfTimes(), writtenAs(Date.now()), at);

/** Such as `Mon 23 Nov`, or for a moment `Mon 23 Nov, 08:00`. */
export const formatted = (format: Format | "moment", moment: Moment): Text =>
  plain(format === "moment" ? times().moment(moment) : formatter(format).format(at(moment)));

/** Such as `Mon 23 Nov, 08:00 – 18:00`, with the second day only if it is another. */
export const formatSpan = (start: Moment, end: Moment): Text => plain(times().span(start, end));

export const formatDays = (first: Moment, last: Moment): Text =>
  plain(formatter("date").formatRange(at(first), at(last)));

/** Such as `08:00 – 18:00`, if the day is visible. It has the days if it ends on another one. */
export const formatTimes = (start: Moment, end: Moment): Text =>
  isOneDay(start, end) ? plain(times().hours(start, end)) : formatSpan(start, end);

const units = [
  ["day", DAY],
  ["hour", HOUR],
  ["minute", MINUTE],
] as const;

function lengthIn(unitDisplay: "long" | "short", length: number): readonly string[] {
  let rest = length;
  return units.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count > 0 ? [count.toLocaleString(locale, { style: "unit", unit, unitDisplay })] : [];
  });
}

/** Such as `3 days, 5 minutes`: exact to the minute and in whole words, for settings. */
export const formatExactLength = (length: number): Text =>
  plain(
    new Intl.ListFormat(locale, { style: "narrow", type: "unit" }).format(lengthIn("long", length)),
  );

/**
 * Such as `3 hr 20 min`: short and rounded up, for time that passes. From a day on, without
 * minutes.
 */
export function formatShortLength(length: number): Text {
  const minutes = Math.max(1, Math.ceil(length / MINUTE)) * MINUTE;
  const whole = minutes < DAY ? minutes : minutes - (minutes % HOUR);
  return plain(lengthIn("short", whole).join(" "));
}

export const isOneDay = (start: Moment, end: Moment): boolean =>
  dateOf(instant(start), timeZone()) === dateOf(instant(end), timeZone());

/** The name of the zone at that moment, such as `GMT+1` or `CET`. */
export function zoneName(moment: Moment): Text {
  if (!isZone(timeZone())) return plain(timeZone());
  const options = { timeZone: timeZone(), timeZoneName: "short" } as const;
  const parts = new Intl.DateTimeFormat(locale, options).formatToParts(instant(moment));
  return plain(parts.find(({ type }) => type === "timeZoneName")?.value ?? timeZone());
}

/** The number of days until another moment, by the clocks of the building. */
function daysUntil(moment: number, now: number): number {
  const [from, until] = [now, moment].map((it) => Date.parse(dateOf(it, timeZone())));
  return Math.round(((until ?? 0) - (from ?? 0)) / DAY);
}

export const nameOfDay = (days: number): Text =>
  plain(new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(days, "day"));

const isNear = (days: number): boolean => Math.abs(days) <= 1;

/** Such as `today 18:00 – 20:00`, with the date if it is not today or an adjacent day. */
export function formatNear(start: number, end: number, now: number): Text {
  const [first, last] = [daysUntil(start, now), daysUntil(end, now)];
  if (!isNear(first)) return formatSpan(start, end);
  if (isOneDay(start, end)) return plain(`${nameOfDay(first)} ${formatTimes(start, end)}`);
  return plain(
    `${nameOfDay(first)} ${formatted("time", start)} – ${last === 1 ? `${nameOfDay(last)} ${formatted("time", end)}` : formatted("moment", end)}`,
  );
}

/** Such as `20:00`, with the day if it is not today. */
export function formatNearMoment(moment: number, now: number): Text {
  const days = daysUntil(moment, now);
  if (days === 0) return formatted("time", moment);
  return isNear(days)
    ? plain(`${nameOfDay(days)} ${formatted("time", moment)}`)
    : formatted("moment", moment);
}

/** 0 is Monday. */
export const weekdayName = (index: number): Text =>
  formatted("weekday", startOfDay(addDays("2026-01-05", index), timeZone()));
