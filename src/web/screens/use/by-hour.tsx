import { grouped } from "../../grouped.ts";
import { plain, type Text, t } from "../../messages/translate.ts";
import { Empty } from "../../parts/states.tsx";
import {
  formatHours,
  formatShare,
  formatWeekday,
  type HourOfUse,
  type HourOfWishes,
} from "./reports.ts";
import { Shares } from "./shares.tsx";

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

const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;

interface WeekProperties {
  readonly title: Text;
  readonly hours: readonly (HourOfUse | HourOfWishes)[];
  readonly nothing: Text;
}

const Week = ({ title, hours, nothing }: WeekProperties) => (
  <Shares
    title={title}
    columns={[t("use.hour"), ...weekdays.map(formatWeekday)]}
    rows={[...grouped(hours, ({ hour }) => hour)].map(([hour, ofHour]) => ({
      name: plain(`${String(hour).padStart(2, "0")}:00`),
      shares: ofHour.map(({ share }) => share),
    }))}
    nothing={nothing}
  />
);
