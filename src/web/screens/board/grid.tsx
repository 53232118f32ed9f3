import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { favoriteSpots } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import type { Spot } from "../../api/resources.ts";
import { grouped } from "../../grouped.ts";
import { plain, t } from "../../messages/translate.ts";
import { Button, Icon, UnverifiedMark } from "../../parts/controls.tsx";
import { percent, placeIn, position } from "../../parts/place.ts";
import { Empty } from "../../parts/states.tsx";
import { useGradually } from "../../parts/table.tsx";
import { formatted } from "../../time/format.ts";
import { HOUR, type Span, timeZone } from "../../time/zone.ts";
import { moveFocus } from "./keyboard.ts";
import { isOpenable, type Row } from "./rows.ts";
import { snapOf, type Tick, ticksOf } from "./scale.ts";
import { Slot, type SlotProperties } from "./slot.tsx";
import { choose, type View } from "./view.ts";

interface GridProperties {
  readonly rows: readonly Row[];
  readonly view: View;
  readonly now: number;
  readonly open: SlotProperties["open"];
}

/** Shared spots, and the others in one row below them. */
export function Grid({ rows, ...bars }: GridProperties) {
  const shared = rows.filter(({ slots }) => slots.length > 0);
  const others = rows.filter(({ slots }) => slots.length === 0);
  const unshared = <Unshared rows={others} isOpen={bars.view.withUnshared} />;
  if (shared.length > 0) return <Bars rows={shared} unshared={unshared} {...bars} />;
  return (
    <div class="stack">
      <Empty title="board.noneShared" text="board.noneSharedText" />
      {unshared}
    </div>
  );
}

function Bars({
  rows,
  view,
  now,
  open,
  unshared,
}: GridProperties & { readonly unshared: ReturnType<typeof Unshared> }) {
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<string | undefined>();
  const stars = useReading(favoriteSpots).value ?? [];
  const isStarred = ({ id }: Spot) => stars.some(({ spot_id }) => spot_id === id);
  useScrollToNow(box, view, now);
  const drawn = useGradually(rows.length);
  const isShown = (id: string) => rows.some(({ slots }) => slots.some((it) => it.id === id));
  const first = rows.flatMap(({ slots }) => slots).find(isOpenable)?.id;
  const tabStop = active !== undefined && isShown(active) ? active : first;
  const bySection = grouped(rows.slice(0, drawn), ({ spot }) => spot.building_section);
  // A mark is as wide as two characters.
  const longest = Math.max(
    ...rows.map(({ spot }) => {
      return spot.spot_number.length + 2 * (Number(!spot.is_verified) + Number(isStarred(spot)));
    }),
  );
  return (
    <div
      class={`board days-${view.days}`}
      style={{ "--characters": `${longest}ch` }}
      ref={box}
      // Without a bar to reach, the arrow keys scroll the board itself.
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
        <Axis period={view} days={view.days} />
        <Lines period={view} days={view.days} now={now} />
        {[...bySection].map(([name, inSection]) => (
          <section key={name} class="section" aria-label={plain(name)}>
            <h2>
              <span class="section-name">{plain(name)}</span>
            </h2>
            {inSection.map((row) => (
              <GridRow
                key={row.spot.id}
                row={row}
                isStarred={isStarred(row.spot)}
                period={view}
                snap={snapOf(view.days)}
                active={row.slots.some(({ id }) => id === tabStop) ? tabStop : undefined}
                open={open}
              />
            ))}
          </section>
        ))}
        {unshared}
      </div>
    </div>
  );
}

/** A board that is wider than the screen opens at the present. */
function useScrollToNow(box: RefObject<HTMLDivElement | null>, view: View, now: number): void {
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null || now < view.start || now >= view.end) return;
    const lane = current.querySelector(".lines")?.clientWidth ?? 0;
    current.scrollLeft = position(now, view) * lane - lane / 24;
  }, [view.date, view.days]);
}

interface GridRowProperties extends Pick<SlotProperties, "snap" | "open"> {
  readonly row: Row;
  readonly isStarred: boolean;
  readonly period: Span;
  /** The bar that the Tab key reaches, if it is in this row. */
  readonly active: string | undefined;
}

/** A spot and its bars. It is drawn again only when something in it has changed. */
function GridRow({ row, isStarred, period, snap, open, active }: GridRowProperties) {
  const { spot, slots } = row;
  return useMemo(
    () => (
      <div class="row" data-row={spot.id}>
        <p class="spot" title={plain(spot.spot_number)}>
          <span class="number">{plain(spot.spot_number)}</span>
          {!spot.is_verified && <UnverifiedMark />}
          {isStarred && (
            <span class="starred">
              <Icon name="star" />
              <span class="unseen">{t("spots.favorite", { spot: spot.spot_number })}</span>
            </span>
          )}
        </p>
        <div class="lane" role="group" aria-label={plain(spot.spot_number)}>
          {slots.map((slot) => (
            <Slot
              key={slot.id}
              slot={slot}
              period={period}
              snap={snap}
              isActive={slot.id === active}
              open={open}
            />
          ))}
        </div>
      </div>
    ),
    [row, isStarred, period.start, period.end, active],
  );
}

function Unshared({ rows, isOpen }: { readonly rows: readonly Row[]; readonly isOpen: boolean }) {
  if (rows.length === 0) return null;
  const bySection = grouped(rows, ({ spot }) => spot.building_section);
  return (
    <div class="unshared">
      <Button
        class="plain"
        aria-expanded={isOpen ? "true" : "false"}
        onClick={() => choose.unshared(!isOpen)}
      >
        {t("board.unshared", { count: rows.length })}
      </Button>
      {isOpen && (
        <dl>
          {[...bySection].map(([name, inSection]) => (
            <div key={name}>
              <dt>{plain(name)}</dt>
              {inSection.map(({ spot }) => (
                <dd key={spot.id}>{plain(spot.spot_number)}</dd>
              ))}
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

interface AxisProperties {
  readonly period: Span;
  readonly days: number;
}

/** The times above the board. The name of a day stays visible as long as a part of the day does. */
function Axis({ period, days }: AxisProperties) {
  const ticks = ticksOf(period, days, timeZone());
  const starts = ticks.filter(({ at, isMidnight }) => isMidnight || at === period.start);
  const dayAt = ({ at }: Tick, index: number): Span => {
    return { start: at, end: starts[index + 1]?.at ?? period.end };
  };
  return (
    <div class="scale" aria-hidden="true">
      <div class="corner" />
      <div class="labels">
        {starts.map(dayAt).map((day) => (
          <div key={day.start} class="day" style={placeIn(day, period)}>
            {/* The evening before midnight has no room for a date. */}
            <span>{formatted(day.end - day.start < 8 * HOUR ? "weekday" : "day", day.start)}</span>
          </div>
        ))}
        {ticks.map((tick) => (
          <span key={tick.at} class="hour" style={{ left: percent(position(tick.at, period)) }}>
            {!tick.isMidnight && formatted("hour", tick.at)}
          </span>
        ))}
      </div>
    </div>
  );
}

/** The background of the bars: lines at the times of the axis, and one at the present. */
function Lines({ period, days, now }: AxisProperties & { readonly now: number }) {
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
      {now > period.start && now < period.end && (
        <div class="now" style={{ left: percent(position(now, period)) }} />
      )}
    </div>
  );
}
