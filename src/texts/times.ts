import type { Language } from "./kinds.ts";

/** Times for people, in a language and a time zone, with the year if it is not this year. */
export interface Times {
  /**
   * Such as `Mon 23 Nov, 08:00 – 18:00`, with the second day only if it differs. For whole days,
   * such as `Thu 10 Dec, all day`. If the clock shows a time twice, the zone follows: `02:30 CEST –
   * 02:15 CET`.
   */
  readonly span: (start: Moment, end: Moment) => string;
  /** Such as `08:00 – 18:00`. */
  readonly hours: (start: Moment, end: Moment) => string;
  /** Such as `Mon 23 Nov, 08:00`. */
  readonly moment: (moment: Moment) => string;
}

export type Moment = string | number;
export const instant = (moment: Moment): number =>
  typeof moment === "number" ? moment : Date.parse(moment);

export const locales: Readonly<Record<Language, string>> = { en: "en-GB", de: "de" };
const allDay: Readonly<Record<Language, string>> = { en: "all day", de: "ganztägig" };

const time = { hour: "2-digit", minute: "2-digit" } as const;
const date = { day: "numeric", month: "short" } as const;
const day = { weekday: "short", ...date } as const;
const year = { year: "numeric" } as const;
const zone = { timeZoneName: "short" } as const;

/** The minutes that a clock repeats when it changes. */
const REPEATED = [-60, -30, 30, 60];

const made = new Map<string, Intl.DateTimeFormat>();

/** Kept, because making a formatter takes a while. */
export function formatter(
  locale: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options);
  let known = made.get(key);
  if (known === undefined) {
    known = new Intl.DateTimeFormat(locale, options);
    // A clock of twelve hours writes the first nine with one digit.
    if (known.resolvedOptions().hourCycle === "h12")
      known = new Intl.DateTimeFormat(locale, { ...options, hour: "numeric" });
    made.set(key, known);
  }
  return known;
}

/**
 * Times in the building's zone, for mails and the page (web/time/format.ts).
 * @param at returns the moment to write, if it differs from the given one
 */
export function timesIn(
  language: Language,
  timeZone: string,
  locale = locales[language],
  now = Date.now(),
  at = instant,
): Times {
  const as = (options: Intl.DateTimeFormatOptions) => formatter(locale, { ...options, timeZone });
  // The Swedish format is 2030-01-01 10:00.
  const written = (it: number) =>
    formatter("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone }).format(it);
  const isOther = (it: number) => written(it).slice(0, 4) !== written(now).slice(0, 4);
  const isMidnight = (it: number) => written(it).endsWith("00:00");
  const isRepeated = (it: number) =>
    REPEATED.some((minutes) => written(it + minutes * 60_000) === written(it));
  /** German adds "Uhr" to a time. Intl adds it to a span within a day. */
  const said = (text: string) =>
    language === "de" && !text.endsWith("Uhr") ? `${text} Uhr` : text;

  const hours = (from: number, until: number) =>
    isRepeated(from) || isRepeated(until)
      ? [from, until].map((it) => as({ ...time, ...zone }).format(it)).join(" – ")
      : as(time).formatRange(from, until);

  function span(from: number, until: number): string {
    const withYear = isOther(from) || isOther(until - 1) ? year : {};
    if (from < until && isMidnight(from) && isMidnight(until)) {
      const isOne = written(from).slice(0, 10) === written(until - 1).slice(0, 10);
      const days = as({ ...(isOne ? day : date), ...withYear }).formatRange(from, until - 1);
      return `${days}, ${allDay[language]}`;
    }
    if (!isRepeated(from) && !isRepeated(until))
      return said(as({ ...day, ...withYear, ...time }).formatRange(from, until));
    if (written(from).slice(0, 10) === written(until).slice(0, 10))
      return `${as({ ...day, ...withYear }).format(from)}, ${hours(from, until)}`;
    const whole = as({ ...day, ...withYear, ...time, ...zone });
    return `${whole.format(from)} – ${whole.format(until)}`;
  }

  function moment(it: number): string {
    const options = { ...day, ...(isOther(it) ? year : {}), ...time };
    return isRepeated(it) ? as({ ...options, ...zone }).format(it) : said(as(options).format(it));
  }

  return {
    span: (start, end) => span(at(start), at(end)),
    hours: (start, end) => hours(at(start), at(end)),
    moment: (it) => moment(at(it)),
  };
}
