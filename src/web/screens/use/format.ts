import { locale, plain, type Text } from "../../messages/translate.ts";
import { DAY } from "../../time/zone.ts";

/** Such as `37 %`. */
export const formatShare = (share: number): Text =>
  plain(share.toLocaleString(locale, { style: "percent", maximumFractionDigits: 0 }));

export const formatHours = (minutes: number): Text =>
  plain(Math.round(minutes / 60).toLocaleString(locale));

/** A day of the calendar is not a moment, so it has no time zone of its own. */
const formatDate = (date: number, options: Intl.DateTimeFormatOptions): Text =>
  plain(new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" }).format(date));

/** Such as `2 Nov`. */
export const formatDay = (date: string): Text =>
  formatDate(Date.parse(date), { day: "numeric", month: "short" });

const MONDAY = Date.UTC(2024, 0, 1);

/** Such as `Mon`; 1 is Monday. */
export const formatWeekday = (weekday: number): Text =>
  formatDate(MONDAY + (weekday - 1) * DAY, { weekday: "short" });
