import type { Pattern } from "../../api/resources.ts";
import { plain, type Text, t } from "../../messages/translate.ts";
import { updateQuery } from "../../routing.ts";
import { formatted } from "../../time/format.ts";
import { startOfDay, timeZone } from "../../time/zone.ts";
import { WEEKDAYS } from "./plan.ts";
import { weekdayName } from "./weekly.tsx";

export const Patterns = ({ patterns }: { readonly patterns: readonly Pattern[] }) => (
  <ul class="windows">
    {patterns.map((pattern) => {
      const name = described(pattern);
      return (
        <li key={pattern.id}>
          <span>{name}</span>
          <button
            type="button"
            class="small-action"
            aria-label={t("pattern.changeThis", { pattern: name })}
            onClick={() => updateQuery({ pattern: pattern.id })}
          >
            {t("app.change")}
          </button>
        </li>
      );
    })}
  </ul>
);

/** Such as `Mon, Tue · 08:00 – 18:00 · from 23 Nov 2026`. */
function described({ weekdays, starts_at, ends_at, first_day, last_day }: Pattern): Text {
  const day = (date: string) => formatted("date", startOfDay(date, timeZone()));
  const names = WEEKDAYS.flatMap((one, index) =>
    weekdays.includes(one) ? [weekdayName(index)] : [],
  );
  const dates =
    last_day === null
      ? t("pattern.from", { first: day(first_day) })
      : t("pattern.fromUntil", { first: day(first_day), last: day(last_day) });
  return plain([names.join(", "), `${starts_at} – ${ends_at}`, dates].join(" · "));
}
