import { plain, t } from "../../messages/translate.ts";
import { Empty } from "../../parts/states.tsx";
import { Chart } from "./chart.tsx";
import { formatDay, formatShare } from "./format.ts";
import type { SectionOfUse } from "./reports.ts";

interface BySectionProperties {
  readonly uses: readonly SectionOfUse[];
  readonly step: "day" | "week";
}

/** Lines, and beside them a table that says the same. */
export function BySection({ uses, step }: BySectionProperties) {
  if (!uses.some(({ share }) => share !== null)) {
    return <Empty title={t("use.nothing")} text={t("use.nothingText")} />;
  }
  const bySection = [...Map.groupBy(uses, (use) => use.building_section)];
  const byDay = [...Map.groupBy(uses, (use) => use.first_day)];
  return (
    <div class="stack">
      <p class="quiet small">{t(step === "day" ? "use.byDay" : "use.byWeek")}</p>
      <div class="beside">
        <Chart lines={bySection} days={byDay.map(([day]) => day)} />
        <div class="table-box tall" tabIndex={0} role="group" aria-label={t("use.bySection")}>
          <table class="numbers">
            <caption class="unseen">{t("use.bySection")}</caption>
            <thead>
              <tr>
                <th scope="col">{t(step === "day" ? "use.day" : "use.weekOf")}</th>
                {bySection.map(([name]) => (
                  <th key={name} scope="col">
                    {plain(name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {byDay.map(([day, inSections]) => (
                <tr key={day}>
                  <th scope="row">{formatDay(day)}</th>
                  {inSections.map(({ building_section, share }) => (
                    <td key={building_section}>
                      {share === null ? plain("–") : formatShare(share)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </div>
  );
}
