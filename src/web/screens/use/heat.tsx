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
      <Heat title={t("use.byHour")} hours={hours} nothing={t("use.notOffered")} />
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
      <Heat title={t("use.unmet")} hours={hours} nothing={t("use.notWished")} />
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

/** A share in an hour of the week; null if there is nothing of which to have a share. */
interface HourOfWeek {
  readonly weekday: number;
  readonly hour: number;
  readonly share: number | null;
}

interface HeatProperties {
  readonly title: Text;
  readonly hours: readonly HourOfWeek[];
  readonly nothing: Text;
}

/** Everybody can tell five shades apart: each is lighter than the next. */
const SHADES = 5;

const shadeOf = (share: number): number => Math.min(SHADES - 1, Math.floor(share * SHADES));

const CELL = 24;
const LEFT = 44;
const TOP = 22;

const Heat = ({ title, hours, nothing }: HeatProperties) => (
  <div class="stack">
    <figure class="heat-map">
      <div class="table-box" tabIndex={0} role="group" aria-label={title}>
        <svg
          viewBox={`0 0 ${LEFT + 24 * CELL} ${TOP + 7 * CELL}`}
          role="img"
          aria-label={t("use.heatMap", { title })}
        >
          {[0, 3, 6, 9, 12, 15, 18, 21].map((hour) => (
            <text key={hour} x={LEFT + hour * CELL} y={14}>
              {plain(`${String(hour).padStart(2, "0")}:00`)}
            </text>
          ))}
          {weekdays.map((weekday) => (
            <text key={weekday} x={0} y={TOP + (weekday - 0.35) * CELL}>
              {formatWeekday(weekday)}
            </text>
          ))}
          {hours.map(({ weekday, hour, share }) => (
            <rect
              key={`${weekday} ${hour}`}
              class={share === null ? "none" : `shade-${shadeOf(share)}`}
              x={LEFT + hour * CELL}
              y={TOP + (weekday - 1) * CELL}
              width={CELL - 2}
              height={CELL - 2}
              rx={3}
            />
          ))}
        </svg>
      </div>
      <figcaption class="heat-legend small">
        {Array.from({ length: SHADES }, (_, shade) => (
          <span key={shade}>
            <span class={`swatch shade-${shade}`} />
            {plain(`${formatShare(shade / SHADES)}–${formatShare((shade + 1) / SHADES)}`)}
          </span>
        ))}
        <span>
          <span class="swatch none" />
          {nothing}
        </span>
      </figcaption>
    </figure>
    <details>
      <summary>{t("use.asTable")}</summary>
      <HeatTable title={title} hours={hours} nothing={nothing} />
    </details>
  </div>
);

const HeatTable = ({ title, hours, nothing }: HeatProperties) => (
  <div class="table-box" tabIndex={0} role="group" aria-label={title}>
    <table class="heat">
      <caption class="unseen">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{t("use.hour")}</th>
          {weekdays.map((weekday) => (
            <th key={weekday} scope="col">
              {formatWeekday(weekday)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...grouped(hours, ({ hour }) => hour)].map(([hour, ofHour]) => (
          <tr key={hour}>
            <th scope="row">{plain(`${String(hour).padStart(2, "0")}:00`)}</th>
            {ofHour.map(({ weekday, share }) => (
              <td key={weekday}>
                {share === null ? (
                  <>
                    <span aria-hidden="true">{plain("–")}</span>
                    <span class="unseen">{nothing}</span>
                  </>
                ) : (
                  formatShare(share)
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
