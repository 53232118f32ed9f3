import { plain, t } from "../../messages/translate.ts";
import { formatHours, formatShare } from "./format.ts";
import type { SectionOfUse } from "./reports.ts";

interface BarsProperties {
  readonly bySection: readonly (readonly [string, readonly SectionOfUse[]])[];
}

const HEIGHT = 20;
const WIDTH = 600;

/**
 * For each section, a bar of the offered hours, with the claimed hours in it. Each bar has its
 * numbers as text.
 */
export function Bars({ bySection }: BarsProperties) {
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
            <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
              <rect class="offered" width={(offered / most) * WIDTH} height={HEIGHT} />
              <rect class="claimed" width={(claimed / most) * WIDTH} height={HEIGHT} />
            </svg>
          </li>
        ))}
      </ul>
    </figure>
  );
}
