import { locale, plain, type Text } from "../../messages/translate.ts";

/** A day of the calendar, such as `2 Nov`. It is no moment, so it has no time zone. */
export const dayOf = (date: string): Text => {
  const format = new Intl.DateTimeFormat(locale, {
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  });
  return plain(format.format(Date.parse(date)));
};
