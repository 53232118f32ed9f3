import { plain, t } from "../../messages/translate.ts";
import { type Part, spanOfRow, stateOf } from "../../parts/free.ts";
import { Icon } from "../../parts/icons.tsx";
import { updateQuery } from "../../routing.ts";
import { formatDays, formatSpan, formatTimes, formatted, isOneDay } from "../../time/format.ts";
import { addDays, timeZone } from "../../time/zone.ts";
import type { ClaimAt } from "./claims-at.ts";
import type { OwnSpot } from "./own-spots.ts";
import { type Day, daysOf, placeIn } from "./week.ts";

interface WeekChoiceProperties {
  readonly monday: string;
  /** The first week that is shown. */
  readonly first: string;
}

/** Which week the spots are shown in. */
export function WeekChoice({ monday, first }: WeekChoiceProperties) {
  const days = daysOf(monday, timeZone());
  const show = (week: string) => () => updateQuery({ week }, { replace: true });
  return (
    <div class="week-choice">
      <button
        type="button"
        aria-label={t("week.earlier")}
        disabled={monday <= first}
        onClick={show(addDays(monday, -7))}
      >
        <Icon name="back" />
      </button>
      <h2 aria-live="polite">{formatDays(days[0]?.start ?? 0, days[6]?.start ?? 0)}</h2>
      <button type="button" aria-label={t("week.later")} onClick={show(addDays(monday, 7))}>
        <Icon name="forward" />
      </button>
    </div>
  );
}

const HOURS = [0, 6, 12, 18, 24];

interface WeekProperties {
  readonly own: OwnSpot;
  /** Those on the spot that are not over, with who made them. */
  readonly claims: readonly ClaimAt[];
  readonly monday: string;
  readonly now: number;
}

/** When a spot is shared: a line for each day of a week, its windows as bars. */
export function Week({ own, claims, monday, now }: WeekProperties) {
  const days = daysOf(monday, timeZone());
  return (
    <div class="week" role="group" aria-label={t("week.of", { spot: own.spot.spot_number })}>
      <div class="week-day" aria-hidden="true">
        <span />
        <span class="week-hours">
          {HOURS.map((hour) => (
            <span key={hour}>{plain(String(hour))}</span>
          ))}
        </span>
      </div>
      {days.map((day) => (
        <Lane key={day.date} own={own} claims={claims} day={day} now={now} />
      ))}
    </div>
  );
}

interface LaneProperties extends Omit<WeekProperties, "monday"> {
  readonly day: Day;
}

function Lane({ own, claims, day, now }: LaneProperties) {
  const isToday = day.start <= now && now < day.end;
  const kept = own.exceptions.filter(({ kind }) => kind === "keep");
  return (
    <div class={isToday ? "week-day today" : "week-day"}>
      <span class="week-name">{formatted("day", day.start)}</span>
      <div class="week-lane">
        {kept.map((exception) => {
          const style = placeIn(spanOfRow(exception), day);
          const when = formatSpan(exception.start_time, exception.end_time);
          return (
            style && (
              <span
                key={exception.id}
                class="kept"
                role="img"
                style={style}
                title={t("week.kept", { span: when })}
                aria-label={t("week.kept", { span: when })}
              />
            )
          );
        })}
        {own.parts.map((part) => (
          <Bar key={part.id} part={part} holder={holderOf(part, claims)} day={day} />
        ))}
      </div>
    </div>
  );
}

/** The name of who claimed it. */
const holderOf = ({ claim }: Part, claims: readonly ClaimAt[]): string | null | undefined =>
  claims.find(({ id }) => id === claim?.id)?.contact?.fullName;

interface BarProperties {
  readonly part: Part;
  readonly holder: string | null | undefined;
  readonly day: Day;
}

function Bar({ part, holder, day }: BarProperties) {
  const style = placeIn(part, day);
  if (style === undefined) return null;
  const { start, end } = part;
  const state = stateOf(part);
  const times = formatTimes(start, end);
  const meaning = t(`bar.${state}`);
  const word = holder ? plain(holder) : meaning;
  // What is seen comes first: who speaks to the computer says it.
  const name = plain(
    [
      `${word} ${times}`,
      word !== meaning && meaning,
      isOneDay(start, end) && formatted("day", day.start),
    ]
      .filter(Boolean)
      .join(" · "),
  );
  return (
    <button
      type="button"
      class={`slot ${state}`}
      style={style}
      title={name}
      aria-label={name}
      onClick={() => updateQuery({ change: part.window.id })}
    >
      <span class="text">
        <span class="word">{word}</span>
        <span class="times">{plain(` ${times}`)}</span>
      </span>
    </button>
  );
}
