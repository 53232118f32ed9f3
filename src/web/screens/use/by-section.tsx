import { grouped } from "../../grouped.ts";
import { plain, t } from "../../messages/translate.ts";
import { Empty } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { formatDay, formatHours, formatShare, type SectionOfUse } from "./reports.ts";

interface BySectionProperties {
  readonly uses: readonly SectionOfUse[];
  readonly step: "day" | "week";
}

export function BySection({ uses, step }: BySectionProperties) {
  if (!uses.some(({ share }) => share !== null)) {
    return <Empty title="use.nothing" text="use.nothingText" />;
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

interface BarsProperties {
  readonly bySection: readonly (readonly [string, readonly SectionOfUse[]])[];
}

const BAR_HEIGHT = 20;

/**
 * For each section, a bar of the offered hours, with the claimed hours in it. Each bar has its
 * numbers as text.
 */
function Bars({ bySection }: BarsProperties) {
  const sums = bySection.map(([name, uses]) => ({
    name,
    offered: uses.reduce((sum, use) => sum + use.offered_minutes, 0),
    claimed: uses.reduce((sum, use) => sum + use.claimed_minutes, 0),
  }));
  const most = Math.max(1, ...sums.map(({ offered }) => offered));
  return (
    <figure class="bars">
      <figcaption class="quiet small">{t("use.bars")}</figcaption>
      <ul>
        {sums.map(({ name, offered, claimed }) => (
          <li key={name}>
            <p>
              <strong>{plain(name)}</strong>
              <span class="quiet small">
                {t("use.barOf", {
                  claimed: formatHours(claimed),
                  offered: formatHours(offered),
                  share: offered === 0 ? "–" : formatShare(claimed / offered),
                })}
              </span>
            </p>
            <svg
              viewBox={`0 0 ${WIDTH} ${BAR_HEIGHT}`}
              preserveAspectRatio="none"
              aria-hidden="true"
            >
              <rect class="offered" width={(offered / most) * WIDTH} height={BAR_HEIGHT} />
              <rect class="claimed" width={(claimed / most) * WIDTH} height={BAR_HEIGHT} />
            </svg>
          </li>
        ))}
      </ul>
    </figure>
  );
}

interface ChartProperties {
  readonly lines: readonly (readonly [string, readonly SectionOfUse[]])[];
  readonly days: readonly string[];
}

/** The number of line styles. They differ in colour and dashes. */
const KINDS = 6;

const WIDTH = 600;
const HEIGHT = 200;

/** Shares over time. The texts are outside the drawing, because the drawing stretches. */
function Chart({ lines, days }: ChartProperties) {
  const shown = [days.at(0), days.at(days.length / 2), days.at(-1)].filter(
    (day) => day !== undefined,
  );
  return (
    <figure class="chart">
      <div class="scale-of-chart" aria-hidden="true">
        {[1, 0.5, 0].map((share) => (
          <span key={share}>{formatShare(share)}</span>
        ))}
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t("use.chart")}
      >
        <path class="rule" d={`M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT}H${WIDTH}`} />
        {lines.map(([name, uses], index) => (
          <path key={name} class={`line-${index % KINDS}`} d={drawn(uses)} />
        ))}
      </svg>
      <div class="days-of-chart" aria-hidden="true">
        {[...new Set(shown)].map((day) => (
          <span key={day}>{formatDay(day)}</span>
        ))}
      </div>
      <ul class="legend">
        {lines.map(([name], index) => (
          <li key={name}>
            <svg class="key" viewBox="0 0 32 8" aria-hidden="true">
              <path class={`line-${index % KINDS}`} d="M0 4H32" />
            </svg>
            {plain(name)}
          </li>
        ))}
      </ul>
    </figure>
  );
}

/** Where nothing was offered, the line has a gap. A day between two gaps is a dot. */
function drawn(uses: readonly SectionOfUse[]): string {
  const step = uses.length > 1 ? WIDTH / (uses.length - 1) : 0;
  return uses
    .map(({ share }, index) => {
      if (share === null) return "";
      const follows = index > 0 && uses[index - 1]?.share !== null;
      const point = `${(index * step).toFixed(1)} ${((1 - share) * HEIGHT).toFixed(1)}`;
      return follows ? `L${point}` : `M${point}h0.1`;
    })
    .join("");
}
