import { plain, t } from "../../messages/translate.ts";
import { type Part, stateOf } from "../../parts/free.ts";
import { formatTimes } from "../../time/format.ts";
import { nameOfDay } from "../../time/near.ts";
import { addDays, dateOf, startOfDay, timeZone } from "../../time/zone.ts";
import type { OwnSpot } from "../spots/own-spots.ts";
import { type Day, placeIn } from "../spots/week.ts";

/** Today and tomorrow: its windows as bars. */
export function Days({ own, now }: { readonly own: OwnSpot; readonly now: number }) {
  const today = dateOf(now, timeZone());
  return (
    <div>
      {[0, 1].map((days) => {
        const date = addDays(today, days);
        const [start, end] = [date, addDays(date, 1)].map((it) => startOfDay(it, timeZone()));
        return (
          <Lane key={date} own={own} days={days} day={{ date, start: start ?? 0, end: end ?? 0 }} />
        );
      })}
    </div>
  );
}

interface LaneProperties {
  readonly own: OwnSpot;
  readonly days: number;
  readonly day: Day;
}

const Lane = ({ own, days, day }: LaneProperties) => (
  <div class="week-day">
    <span class="week-name">{nameOfDay(days)}</span>
    <div class="week-lane">
      {own.parts.map((part) => (
        <Bar key={part.id} part={part} day={day} />
      ))}
    </div>
  </div>
);

function Bar({ part, day }: { readonly part: Part; readonly day: Day }) {
  const style = placeIn(part, day);
  if (style === undefined) return null;
  const state = stateOf(part);
  const name = plain(`${t(`bar.${state}`)} ${formatTimes(part.start, part.end)}`);
  return <span class={`slot ${state}`} style={style} role="img" title={name} aria-label={name} />;
}
