import type { Availability } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { formatTimes } from "../../time/format.ts";
import { nameOfDay } from "../../time/near.ts";
import { addDays, dateOf, startOfDay, timeZone } from "../../time/zone.ts";
import type { OwnSpot } from "../spots/own-spots.ts";
import { type Day, placeIn, spanOfRow } from "../spots/week.ts";

/** Today and tomorrow: a bar for each window. */
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
      {own.windows.map(({ window }) => (
        <Bar key={window.id} window={window} day={day} />
      ))}
    </div>
  </div>
);

function Bar({ window, day }: { readonly window: Availability; readonly day: Day }) {
  const style = placeIn(spanOfRow(window), day);
  if (style === undefined) return null;
  const state = window.is_claimed ? "lent" : "shared";
  const name = plain(`${t(`bar.${state}`)} ${formatTimes(window.start_time, window.end_time)}`);
  return <span class={`slot ${state}`} style={style} role="img" title={name} aria-label={name} />;
}
