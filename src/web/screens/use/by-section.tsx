import { plain, t } from "../../messages/translate.ts";
import { Empty } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
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
      </div>
    </div>
  );
}
