import { grouped } from "../../grouped.ts";
import { plain, t } from "../../messages/translate.ts";
import { Empty } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { Bars } from "./bars.tsx";
import { Chart } from "./chart.tsx";
import { formatDay, formatShare } from "./format.ts";
import type { SectionOfUse } from "./reports.ts";

interface BySectionProperties {
  readonly uses: readonly SectionOfUse[];
  readonly step: "day" | "week";
}

/** Bars for the whole period, lines over time, and a table with the same numbers. */
export function BySection({ uses, step }: BySectionProperties) {
  if (!uses.some(({ share }) => share !== null)) {
    return <Empty title={t("use.nothing")} text={t("use.nothingText")} />;
  }
  const bySection = [...grouped(uses, (use) => use.building_section)];
  const byDay = [...grouped(uses, (use) => use.first_day)];
  return (
    <div class="stack">
      <Bars bySection={bySection} />
      <p class="quiet small">{t(step === "day" ? "use.byDay" : "use.byWeek")}</p>
      <Chart lines={bySection} days={byDay.map(([day]) => day)} />
      <details>
        <summary>{t("use.asTable")}</summary>
        <div class="table-box tall" tabIndex={0} role="group" aria-label={t("use.bySection")}>
          <Table
            class="numbers"
            caption={t("use.bySection")}
            columns={[
              t(step === "day" ? "use.day" : "use.weekOf"),
              ...bySection.map(([name]) => plain(name)),
            ]}
            rows={byDay.map(([day, inSections]) => ({
              key: day,
              cells: [
                formatDay(day),
                ...inSections.map(({ share }) =>
                  share === null ? plain("–") : formatShare(share),
                ),
              ],
            }))}
          />
        </div>
      </details>
    </div>
  );
}
