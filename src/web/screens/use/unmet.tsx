import { t } from "../../messages/translate.ts";
import { formatHours, formatShare } from "./format.ts";
import { Heat } from "./heat.tsx";
import type { HourOfWishes } from "./reports.ts";

/** The share of the residents' wishes that was not met, for each hour of the week. */
export function Unmet({ hours }: { readonly hours: readonly HourOfWishes[] }) {
  const sum = (of: (it: HourOfWishes) => number) => hours.reduce((total, it) => total + of(it), 0);
  const wished = sum((it) => it.wished_minutes);
  const unmet = sum((it) => it.unmet_minutes);
  if (wished === 0) return <p>{t("use.noneWished")}</p>;
  return (
    <div class="stack">
      <p>
        {t("use.unmetTotal", {
          unmet: formatHours(unmet),
          wished: formatHours(wished),
          share: formatShare(unmet / wished),
        })}
      </p>
      <p class="quiet small">{t("use.unmetText")}</p>
      <Heat title={t("use.unmet")} hours={hours} nothing={t("use.notWished")} />
    </div>
  );
}
