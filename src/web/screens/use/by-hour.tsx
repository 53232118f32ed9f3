import { plain, t } from "../../messages/translate.ts";
import { Empty } from "../../parts/states.tsx";
import { formatHours, formatShare, formatWeekday } from "./format.ts";
import type { HourOfUse } from "./reports.ts";

const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;

/** A heat map of the week. Each cell says its number: nobody has to compare colours. */
export function ByHour({ hours }: { readonly hours: readonly HourOfUse[] }) {
  const sum = (of: (use: HourOfUse) => number) => hours.reduce((total, it) => total + of(it), 0);
  const offered = sum((use) => use.offered_minutes);
  const claimed = sum((use) => use.claimed_minutes);
  if (offered === 0) {
    return <Empty title={t("use.nothing")} text={t("use.nothingText")} />;
  }
  const byHour = Map.groupBy(hours, ({ hour }) => hour);
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
      <div class="table-box" tabIndex={0} role="group" aria-label={t("use.byHour")}>
        <table class="heat">
          <caption class="unseen">{t("use.byHour")}</caption>
          <thead>
            <tr>
              <th scope="col">{t("use.hour")}</th>
              {weekdays.map((weekday) => (
                <th key={weekday} scope="col">
                  {formatWeekday(weekday)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...byHour].map(([hour, uses]) => (
              <tr key={hour}>
                <th scope="row">{plain(`${String(hour).padStart(2, "0")}:00`)}</th>
                {uses.map(cell)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

const cell = ({ weekday, share }: HourOfUse) =>
  share === null ? (
    <td key={weekday}>
      <span aria-hidden="true">{plain("–")}</span>
      <span class="unseen">{t("use.notOffered")}</span>
    </td>
  ) : (
    <td key={weekday} style={{ "--share": `${share * 100}%` }}>
      {formatShare(share)}
    </td>
  );
