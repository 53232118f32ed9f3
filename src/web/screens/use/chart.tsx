import { plain, t } from "../../messages/translate.ts";
import { formatDay, formatShare } from "./format.ts";
import type { SectionOfUse } from "./reports.ts";

interface ChartProperties {
  readonly lines: readonly (readonly [string, readonly SectionOfUse[]])[];
  readonly days: readonly string[];
}

/** The number of line styles. They differ in colour and dashes. */
const KINDS = 6;

const WIDTH = 600;
const HEIGHT = 200;

/** Shares over time. The texts are outside the drawing, because the drawing stretches. */
export function Chart({ lines, days }: ChartProperties) {
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
