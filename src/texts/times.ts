import type { Language } from "./kinds.ts";

/** Times as people write them, in a language and a time zone; with the year where it is not this one. */
export interface Times {
  /**
   * Such as `Mon 23 Nov, 08:00 – 18:00`; the second day only where it is another. Of whole days, such as
   * `Thu 10 Dec, all day`. Where the clock shows a time twice, with the zone: `02:30 CEST – 02:15 CET`.
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

const locales: Readonly<Record<Language, string>> = { en: "en-GB", de: "de" };
const allDay: Readonly<Record<Language, string>> = { en: "all day", de: "ganztägig" };

const time = { hour: "2-digit", minute: "2-digit" } as const;
const date = { day: "numeric", month: "short" } as const;
const day = { weekday: "short", ...date } as const;
const year = { year: "numeric" } as const;
const zone = { timeZoneName: "short" } as const;

/** What a clock that changes repeats, in minutes. */
const REPEATED = [-60, -30, 30, 60];

const made = new Map<string, Intl.DateTimeFormat>();

/** Each takes a while to make. */
export function formatter(
  locale: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options);
  let known = made.get(key);
  if (known === undefined) {
    known = new Intl.DateTimeFormat(locale, options);
    // Of twelve hours, the first nine are written with one digit.
    if (known.resolvedOptions().hourCycle === "h12")
      known = new Intl.DateTimeFormat(locale, { ...options, hour: "numeric" });
    made.set(key, known);
  }
  return known;
}

/**
 * In the building's zone, by mail and on the page (web/time/format.ts).
 * @param at which moment to write, where it is not the same
 */
export function timesIn(
  language: Language,
  timeZone: string,
  locale = locales[language],
  now = Date.now(),
  at = instant,
): Times {
  const as = (options: Intl.DateTimeFormatOptions) => formatter(locale, { ...options, timeZone });
  // Swedish writes 2030-01-01 10:00.
  const written = (it: number) =>
    formatter("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone }).format(it);
  const isOther = (it: number) => written(it).slice(0, 4) !== written(now).slice(0, 4);
  const isMidnight = (it: number) => written(it).endsWith("00:00");
  const isRepeated = (it: number) =>
    REPEATED.some((minutes) => written(it + minutes * 60_000) === written(it));
  /** In German, the hour is said behind a time. Of a span within a day, Intl says it. */
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
