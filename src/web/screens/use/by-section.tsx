import { grouped } from "../../grouped.ts";
import { plain, t } from "../../messages/translate.ts";
import { Empty } from "../../parts/states.tsx";
import { formatDay, formatHours, formatShare, type SectionOfUse } from "./reports.ts";
import { Shares } from "./shares.tsx";

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
      <Shares
        title={t("use.bySection")}
        columns={[
          t(step === "day" ? "use.day" : "use.weekOf"),
          ...bySection.map(([name]) => plain(name)),
        ]}
        rows={byDay.map(([day, inSections]) => ({
          name: formatDay(day),
          shares: inSections.map(({ share }) => share),
        }))}
        nothing={t("use.notOffered")}
      />
    </div>
  );
}

interface BarsProperties {
  readonly bySection: readonly (readonly [string, readonly SectionOfUse[]])[];
}

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
            <svg aria-hidden="true">
              <rect class="offered" width={`${(offered / most) * 100}%`} height="100%" />
              <rect class="claimed" width={`${(claimed / most) * 100}%`} height="100%" />
            </svg>
          </li>
        ))}
      </ul>
    </figure>
  );
}
