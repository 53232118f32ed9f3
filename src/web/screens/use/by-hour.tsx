import { t } from "../../messages/translate.ts";
import { Empty } from "../../parts/states.tsx";
import { formatHours, formatShare } from "./format.ts";
import { Heat } from "./heat.tsx";
import type { HourOfUse } from "./reports.ts";

/** The claimed share of the offered time, for each hour of the week. */
export function ByHour({ hours }: { readonly hours: readonly HourOfUse[] }) {
  const sum = (of: (use: HourOfUse) => number) => hours.reduce((total, it) => total + of(it), 0);
  const offered = sum((use) => use.offered_minutes);
  const claimed = sum((use) => use.claimed_minutes);
  if (offered === 0) {
    return <Empty title={t("use.nothing")} text={t("use.nothingText")} />;
  }
  return (
    <div class="stack">
      <p>
        {t("use.total", {
          claimed: formatHours(claimed),
          offered: formatHours(offered),
          share: formatShare(claimed / offered),
        })}
      </p>
      <p class="quiet small">{t("use.byHourText")}</p>
      <Heat title={t("use.byHour")} hours={hours} nothing={t("use.notOffered")} />
    </div>
  );
}
