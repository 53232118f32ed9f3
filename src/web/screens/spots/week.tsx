import { plain, type Text, t } from "../../messages/translate.ts";
import { Button, Icon } from "../../parts/controls.tsx";
import { placeIn } from "../../parts/place.ts";
import { type Part, stateOf } from "../../parts/window-parts.ts";
import { updateQuery } from "../../routing.ts";
import { formatDays, formatTimes, formatted, isOneDay } from "../../time/format.ts";
import { addDays, timeZone } from "../../time/zone.ts";
import type { ClaimAt, OwnSpot } from "./own-spots.ts";
import { type Day, daysOf } from "./plan.ts";

export function WeekChoice({ monday, first }: { readonly monday: string; readonly first: string }) {
  const days = daysOf(monday, timeZone());
  const show = (week: string) => () => updateQuery({ week }, { replace: true });
  return (
    <div class="week-choice">
      <Button
        aria-label={t("week.earlier")}
        disabled={monday <= first}
        onClick={show(addDays(monday, -7))}
      >
        <Icon name="back" />
      </Button>
      <h2 aria-live="polite">{formatDays(days[0]?.start ?? 0, days[6]?.start ?? 0)}</h2>
      <Button aria-label={t("week.later")} onClick={show(addDays(monday, 7))}>
        <Icon name="forward" />
      </Button>
    </div>
  );
}

const HOURS = [0, 6, 12, 18, 24];

interface WeekProperties {
  readonly own: OwnSpot;
  /** The claims on the spot that are not over, with the people who made them. */
  readonly claims: readonly ClaimAt[];
  readonly monday: string;
  readonly now: number;
}

/** The times when a spot is shared: a row for each day of a week, with its windows as bars. */
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
        <Lane
          key={day.date}
          own={own}
          day={day}
          name={formatted("day", day.start)}
          isToday={day.start <= now && now < day.end}
          open={({ window }) => updateQuery({ change: window.id })}
          holderOf={(part) => holderOf(part, claims)}
        />
      ))}
    </div>
  );
}

const holderOf = ({ claim }: Part, claims: readonly ClaimAt[]): string | null | undefined =>
  claims.find(({ id }) => id === claim?.id)?.contact?.full_name;

interface Looks {
  readonly day: Day;
  /** Without this function, a bar is only a picture. */
  readonly open?: (part: Part) => void;
  readonly holderOf?: (part: Part) => string | null | undefined;
}

interface LaneProperties extends Looks {
  readonly own: OwnSpot;
  readonly name: Text;
  readonly isToday?: boolean;
}

export function Lane({ own, name, isToday, ...looks }: LaneProperties) {
  return (
    <div class={isToday ? "week-day today" : "week-day"}>
      <span class="week-name">{name}</span>
      <div class="week-lane">
        {own.over.map((part) => (
          <Bar key={part.id} part={part} day={looks.day} isOver />
        ))}
        {own.parts.map((part) => (
          <Bar key={part.id} part={part} {...looks} />
        ))}
      </div>
    </div>
  );
}

interface BarProperties extends Looks {
  readonly part: Part;
  readonly isOver?: true;
}

function Bar({ part, day, open, holderOf, isOver }: BarProperties) {
  const style = placeIn(part, day);
  if (style === undefined) return null;
  const { start, end } = part;
  const state = isOver && part.isFree ? "over" : stateOf(part);
  const times = formatTimes(start, end);
  const meaning = t(`bar.${state}`);
  const word = plain(holderOf?.(part) || meaning);
  // The visible text comes first, because people who use voice control say it.
  const name = plain(
    [
      `${word} ${times}`,
      word !== meaning && meaning,
      isOneDay(start, end) && formatted("day", day.start),
    ]
      .filter(Boolean)
      .join(" · "),
  );
  const attributes = { class: `slot ${state}`, style, title: name, "aria-label": name };
  if (!open) return <span {...attributes} role="img" />;
  return (
    <Button {...attributes} onClick={() => open(part)}>
      <span class="text">
        <span class="word">{word}</span>
        <span class="times">{plain(` ${times}`)}</span>
      </span>
    </Button>
  );
}
