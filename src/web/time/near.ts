import { locale, plain, type Text } from "../messages/translate.ts";
import { formatSpan, formatTimes, formatted, isOneDay } from "./format.ts";
import { DAY, dateOf, timeZone } from "./zone.ts";

/** Formats of times that are near. */

/** The number of days until another moment, by the clocks of the building. */
function daysUntil(moment: number, now: number): number {
  const [from, until] = [now, moment].map((it) => Date.parse(dateOf(it, timeZone())));
  return Math.round(((until ?? 0) - (from ?? 0)) / DAY);
}

/** Such as `tomorrow`. */
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
