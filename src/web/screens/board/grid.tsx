import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { plain, t } from "../../messages/translate.ts";
import { useGradually } from "../../parts/gradually.ts";
import { formatted } from "../../time/format.ts";
import { timeZone } from "../../time/zone.ts";
import { moveFocus } from "./keyboard.ts";
import { GridRow } from "./row.tsx";
import { percent, position, snapOf, type Tick, ticksOf } from "./scale.ts";
import type { SlotProperties } from "./slot.tsx";
import { isOpenable, type Row, type SlotState } from "./slots.ts";
import type { View } from "./view.ts";

interface GridProperties {
  readonly rows: readonly Row[];
  readonly view: View;
  readonly now: number;
  readonly open: SlotProperties["open"];
}

/** Spots from top to bottom, time from left to right. */
export function Grid({ rows, view, now, open }: GridProperties) {
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<string | undefined>();
  useScrollToNow(box, view, now);
  const drawn = useGradually(rows.length);
  const ticks = ticksOf(view, view.days, timeZone());
  const isShown = (id: string) => rows.some(({ slots }) => slots.some((it) => it.window.id === id));
  const first = rows.flatMap(({ slots }) => slots).find(isOpenable)?.window.id;
  const tabStop = active !== undefined && isShown(active) ? active : first;
  const bySection = Map.groupBy(rows.slice(0, drawn), ({ spot }) => spot.building_section);
  return (
    <div
      class={`board days-${view.days}`}
      ref={box}
      // Without a bar to reach, the board itself is what the arrow keys scroll.
      tabIndex={tabStop === undefined ? 0 : -1}
      onKeyDown={(event) => {
        if (moveFocus(event.currentTarget, event.key)) event.preventDefault();
      }}
      onFocusIn={(event) => {
        const id = event.target instanceof HTMLElement ? event.target.dataset.slot : undefined;
        if (id !== undefined) setActive(id);
      }}
    >
      <div class="sheet">
        <Scale ticks={ticks} view={view} />
        <div class="lines" aria-hidden="true">
          {ticks.map(({ at, isMidnight }) => (
            <div
              key={at}
              class={isMidnight ? "line midnight" : "line"}
              style={{ left: percent(position(at, view)) }}
            />
          ))}
          <div class="past" style={{ width: percent(position(now, view)) }} />
          {now > view.from && now < view.to && (
            <div class="now" style={{ left: percent(position(now, view)) }} />
          )}
        </div>
        {[...bySection].map(([name, inSection]) => (
          <section key={name} class="section" aria-label={plain(name)}>
            <h2>{plain(name)}</h2>
            {inSection.map((row) => (
              <GridRow
                key={row.spot.id}
                row={row}
                period={view}
                snap={snapOf(view.days)}
                active={row.slots.some(({ window }) => window.id === tabStop) ? tabStop : undefined}
                open={open}
              />
            ))}
          </section>
        ))}
      </div>
    </div>
  );
}

/** The times above the board. */
function Scale({ ticks, view }: { readonly ticks: readonly Tick[]; readonly view: View }) {
  const midnights = ticks.filter(({ isMidnight }) => isMidnight);
  const label = (name: string, at: number, format: "day" | "hour") => (
    <span key={at} class={name} style={{ left: percent(position(at, view)) }}>
      {formatted(format, at)}
    </span>
  );
  return (
    <div class="scale" aria-hidden="true">
      <div class="corner" />
      <div class="labels">
        {midnights.map(({ at }) => label("day", at, "day"))}
        {ticks.filter(({ isMidnight }) => !isMidnight).map(({ at }) => label("hour", at, "hour"))}
      </div>
    </div>
  );
}

/** A board that is wider than the screen opens at the present. */
function useScrollToNow(box: RefObject<HTMLDivElement | null>, view: View, now: number): void {
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null || now < view.from || now >= view.to) return;
    const lane = current.querySelector(".lines")?.clientWidth ?? 0;
    current.scrollLeft = ((now - view.from) / (view.to - view.from)) * lane - lane / 24;
  }, [view.date, view.days]);
}

interface LegendProperties {
  readonly states: readonly Exclude<SlotState, "over">[];
}

/** What the patterns of the bars mean. */
export const Legend = ({ states }: LegendProperties) => (
  <ul class="legend" aria-hidden="true">
    {states.map((state) => (
      <li key={state}>
        <span class={`swatch slot ${state}`} />
        {t(`slot.${state}`)}
      </li>
    ))}
  </ul>
);
