import { formatted } from "../../time/format.ts";
import { timeZone } from "../../time/zone.ts";
import { type Period, percent, position, type Tick, ticksOf } from "./scale.ts";

interface AxisProperties {
  readonly period: Period;
  readonly days: number;
}

/** The times above the board. The name of a day stays visible as long as a part of the day does. */
export function Axis({ period, days }: AxisProperties) {
  const ticks = ticksOf(period, days, timeZone());
  const midnights = ticks.filter(({ isMidnight }) => isMidnight);
  const left = ({ at }: Tick): string => percent(position(at, period));
  const widthOf = (tick: Tick, index: number): string => {
    const end = midnights[index + 1]?.at ?? period.to;
    return percent(position(end, period) - position(tick.at, period));
  };
  return (
    <div class="scale" aria-hidden="true">
      <div class="corner" />
      <div class="labels">
        {midnights.map((tick, index) => (
          <div key={tick.at} class="day" style={{ left: left(tick), width: widthOf(tick, index) }}>
            <span>{formatted("day", tick.at)}</span>
          </div>
        ))}
        {ticks.map((tick) => (
          <span key={tick.at} class="hour" style={{ left: left(tick) }}>
            {!tick.isMidnight && formatted("hour", tick.at)}
          </span>
        ))}
      </div>
    </div>
  );
}

/** The background of the bars: lines at the times of the axis, and one at the present. */
export function Lines({ period, days, now }: AxisProperties & { readonly now: number }) {
  return (
    <div class="lines" aria-hidden="true">
      {ticksOf(period, days, timeZone()).map(({ at, isMidnight }) => (
        <div
          key={at}
          class={isMidnight ? "line midnight" : "line"}
          style={{ left: percent(position(at, period)) }}
        />
      ))}
      <div class="past" style={{ width: percent(position(now, period)) }} />
      {now > period.from && now < period.to && (
        <div class="now" style={{ left: percent(position(now, period)) }} />
      )}
    </div>
  );
}
