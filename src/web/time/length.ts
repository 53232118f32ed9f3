import { locale, plain, type Text } from "../messages/translate.ts";

const units = [
  ["day", 24 * 60],
  ["hour", 60],
  ["minute", 1],
] as const;

/** Such as `3 days, 5 minutes`: exact to the minute and in whole words, for settings. */
export function formatExactLength(minutes: number): Text {
  let rest = minutes;
  const parts: string[] = [];
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) {
      parts.push(count.toLocaleString(locale, { style: "unit", unit, unitDisplay: "long" }));
    }
  }
  return plain(new Intl.ListFormat(locale, { style: "narrow", type: "unit" }).format(parts));
}
