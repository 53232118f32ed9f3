import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { grouped } from "../../grouped.ts";
import { plain, t } from "../../messages/translate.ts";
import { useGradually } from "../../parts/gradually.ts";
import { Empty } from "../../parts/states.tsx";
import { Axis, Lines } from "./axis.tsx";
import { moveFocus } from "./keyboard.ts";
import { GridRow } from "./row.tsx";
import { snapOf } from "./scale.ts";
import type { SlotProperties } from "./slot.tsx";
import { isOpenable, type Row } from "./slots.ts";
import { Unshared } from "./unshared.tsx";
import type { View } from "./view.ts";

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
      <Empty title={t("board.noneShared")} text={t("board.noneSharedText")} />
      {unshared}
    </div>
  );
}

/** Spots from top to bottom, time from left to right. */
function Bars({
  rows,
  view,
  now,
  open,
  unshared,
}: GridProperties & { readonly unshared: ReturnType<typeof Unshared> }) {
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<string | undefined>();
  useScrollToNow(box, view, now);
  const drawn = useGradually(rows.length);
  const isShown = (id: string) => rows.some(({ slots }) => slots.some((it) => it.id === id));
  const first = rows.flatMap(({ slots }) => slots).find(isOpenable)?.id;
  const tabStop = active !== undefined && isShown(active) ? active : first;
  const bySection = grouped(rows.slice(0, drawn), ({ spot }) => spot.building_section);
  // A mark is as wide as two characters.
  const longest = Math.max(
    ...rows.map(({ spot }) => spot.spot_number.length + (spot.is_verified ? 0 : 2)),
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
    if (current === null || now < view.from || now >= view.to) return;
    const lane = current.querySelector(".lines")?.clientWidth ?? 0;
    current.scrollLeft = ((now - view.from) / (view.to - view.from)) * lane - lane / 24;
  }, [view.date, view.days]);
}
