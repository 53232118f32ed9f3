import { grouped } from "../../grouped.ts";
import type { MessageKey } from "../../messages/en.ts";
import { plain, type Text, t } from "../../messages/translate.ts";
import { describePerson, usePeople } from "../../parts/administration/people.ts";
import { Empty } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { weekdayName } from "../../time/format.ts";
import {
  formatDay,
  formatHours,
  formatShare,
  type HourOfUse,
  type HourOfWishes,
  type NeverOffered,
  type SectionOfUse,
} from "./reports.ts";

interface SharesProperties {
  readonly title: Text;
  readonly columns: readonly Text[];
  readonly rows: readonly {
    readonly name: Text;
    /** Null if there is nothing of which to have a share. */
    readonly shares: readonly (number | null)[];
  }[];
  /** What null means. */
  readonly nothing: Text;
}

/** Shares as a picture and a table in one: the larger a share, the darker is its cell. */
const Shares = ({ title, columns, rows, nothing }: SharesProperties) => (
  <div class="table-box" tabIndex={0} role="group" aria-label={title}>
    <Table
      class="shares"
      caption={title}
      columns={columns}
      rows={rows.map(({ name, shares }) => ({
        key: name,
        cells: [name, ...shares.map((share) => cellOf(share, nothing))],
      }))}
    />
  </div>
);

/** Everybody can tell five shades apart: each is lighter than the next. */
const SHADES = 5;

function cellOf(share: number | null, nothing: Text) {
  if (share === null) {
    return (
      <>
        <span aria-hidden="true">{plain("–")}</span>
        <span class="unseen">{nothing}</span>
      </>
    );
  }
  const shade = Math.min(SHADES - 1, Math.floor(share * SHADES));
  return <span class={`shade-${shade}`}>{formatShare(share)}</span>;
}

/** The claimed share of the offered time, for each hour of the week. */
export function ByHour({ hours }: { readonly hours: readonly HourOfUse[] }) {
  const offered = sumOf(hours.map((use) => use.offered_minutes));
  const claimed = sumOf(hours.map((use) => use.claimed_minutes));
  if (offered === 0) return <Empty title="use.nothing" text="use.nothingText" />;
  const total = shareIn({ claimed, offered }, claimed / offered);
  return (
    <div class="stack">
      <p>{t("use.total", total)}</p>
      <p class="quiet small">{t("use.byHourText")}</p>
      <Week title={t("use.byHour")} hours={hours} nothing={t("use.notOffered")} />
    </div>
  );
}

/** The share of the residents' wishes that was not met, for each hour of the week. */
export function Unmet({ hours }: { readonly hours: readonly HourOfWishes[] }) {
  const wished = sumOf(hours.map((it) => it.wished_minutes));
  const unmet = sumOf(hours.map((it) => it.unmet_minutes));
  if (wished === 0) return <p>{t("use.noneWished")}</p>;
  return (
    <div class="stack">
      <p>{t("use.unmetTotal", shareIn({ unmet, wished }, unmet / wished))}</p>
      <p class="quiet small">{t("use.unmetText")}</p>
      <Week title={t("use.unmet")} hours={hours} nothing={t("use.notWished")} />
    </div>
  );
}

const sumOf = (minutes: readonly number[]): number => minutes.reduce((sum, it) => sum + it, 0);

/** The values of a sentence: minutes in hours, and a share. */
const shareIn = (minutes: Readonly<Record<string, number>>, share: number) => ({
  ...Object.fromEntries(Object.entries(minutes).map(([name, it]) => [name, formatHours(it)])),
  share: formatShare(share),
});

interface WeekProperties {
  readonly title: Text;
  readonly hours: readonly (HourOfUse | HourOfWishes)[];
  readonly nothing: Text;
}

const Week = ({ title, hours, nothing }: WeekProperties) => (
  <Shares
    title={title}
    columns={[t("use.hour"), ...[0, 1, 2, 3, 4, 5, 6].map(weekdayName)]}
    rows={[...grouped(hours, ({ hour }) => hour)].map(([hour, ofHour]) => ({
      name: plain(`${String(hour).padStart(2, "0")}:00`),
      shares: ofHour.map(({ share }) => share),
    }))}
    nothing={nothing}
  />
);

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

/** A report may have ten thousand rows. The file has all of them. */
const SHOWN = 100;

interface NeverProperties {
  readonly title: Text;
  /** Shown instead of a table without rows. */
  readonly none: MessageKey;
  /** The title of the last column. */
  readonly last: MessageKey;
  readonly rows: readonly (Pick<
    NeverOffered,
    "id" | "spot_number" | "building_section" | "owner_id"
  > & { readonly last: Text })[];
}

/** The spots, or the windows, that were of no use. */
export function Never({ title, none, last, rows }: NeverProperties) {
  const people = usePeople();
  if (rows.length === 0) return <p>{t(none)}</p>;
  const more = rows.length - SHOWN;
  return (
    <div class="stack">
      <div class="table-box tall" tabIndex={0} role="group" aria-label={title}>
        <Table
          caption={title}
          columns={[t("board.spot"), t("board.section"), t("verification.owner"), t(last)]}
          rows={rows.slice(0, SHOWN).map(({ id, spot_number, building_section, ...row }) => ({
            key: id,
            cells: [
              plain(spot_number),
              plain(building_section),
              plain(describePerson(people, row.owner_id)),
              row.last,
            ],
          }))}
        />
      </div>
      {more > 0 && <p class="quiet">{t("use.more", { count: more })}</p>}
    </div>
  );
}
