import { locale, plain, type Text } from "../../messages/translate.ts";

/** Such as `37 %`. */
export const formatShare = (share: number): Text =>
  plain(share.toLocaleString(locale, { style: "percent", maximumFractionDigits: 0 }));

export const formatHours = (minutes: number): Text =>
  plain(Math.round(minutes / 60).toLocaleString(locale));
