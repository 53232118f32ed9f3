import { elements, part, plain } from "../../elements.ts";
import { t } from "../../messages/translate.ts";
import { Empty } from "../../parts/states.ts";
import { Chart } from "./chart.ts";
import { dayOf } from "./days.ts";
import { formatShare } from "./numbers.ts";
import type { SectionOfUse } from "./reports.ts";

const { caption, div, p, table, tbody, td, th, thead, tr } = elements;

interface BySectionProperties {
  readonly uses: readonly SectionOfUse[];
  readonly step: "day" | "week";
}

/** Lines, and beside them a table that says the same. */
export function BySection({ uses, step }: BySectionProperties) {
  if (!uses.some(({ share }) => share !== null)) {
    return part(Empty, { title: t("use.nothing"), text: t("use.nothingText") });
  }
  const bySection = [...Map.groupBy(uses, (use) => use.building_section)];
  const byDay = [...Map.groupBy(uses, (use) => use.first_day)];
  return div(
    { class: "stack" },
    p({ class: "quiet small" }, t(step === "day" ? "use.byDay" : "use.byWeek")),
    div(
      { class: "beside" },
      part(Chart, { lines: bySection, days: byDay.map(([day]) => day) }),
      div(
        { class: "table-box tall", tabIndex: 0, role: "group", "aria-label": t("use.bySection") },
        table(
          { class: "numbers" },
          caption({ class: "unseen" }, t("use.bySection")),
          thead(
            {},
            tr(
              {},
              th({ scope: "col" }, t(step === "day" ? "use.day" : "use.weekOf")),
              bySection.map(([name]) => th({ key: name, scope: "col" }, plain(name))),
            ),
          ),
          tbody(
            {},
            byDay.map(([day, inSections]) =>
              tr(
                { key: day },
                th({ scope: "row" }, dayOf(day)),
                inSections.map(({ building_section, share }) =>
                  td({ key: building_section }, share === null ? plain("–") : formatShare(share)),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}
