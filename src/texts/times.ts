import type { Language } from "./kinds.ts";

/** Times as people write them, in a language and a time zone. */
export interface Times {
  /** Such as `Mon 23 Nov, 08:00 – 18:00`; the second day only where it is another. */
  readonly span: (start: string, end: string) => string;
  /** Such as `Mon 23 Nov, 08:00`. */
  readonly moment: (moment: string) => string;
}

const locales: Readonly<Record<Language, string>> = { en: "en-GB", de: "de" };

/** In German, the hour is said behind a time. Of a span within a day, Intl says it. */
export const withHour = (language: Language, time: string): string =>
  language === "de" && !time.endsWith("Uhr") ? `${time} Uhr` : time;

/** In the building's zone, as the page writes them (web/time/format.ts). */
export function timesIn(language: Language, timeZone: string, locale = locales[language]): Times {
  const format = new Intl.DateTimeFormat(locale, {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
  });
  const said = (time: string) => withHour(language, time);
  return {
    span: (start, end) => said(format.formatRange(Date.parse(start), Date.parse(end))),
    moment: (moment) => said(format.format(Date.parse(moment))),
  };
}
