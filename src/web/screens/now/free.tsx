import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { allSections, allSpots, bookingsBetween, limitsIn } from "../../api/lists.ts";
import { usePersonId } from "../../api/person.ts";
import { together, useMovingReading, useReading } from "../../api/reading.ts";
import type { Spot } from "../../api/resources.ts";
import { t } from "../../messages/translate.ts";
import { lazy } from "../../parts/lazy.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import type { Span } from "../../time/zone.ts";
import { type Result, resultsOf } from "./results.ts";
import { type Pinned, type PinnedRow, Row, withPinned } from "./row.tsx";
import { hoursAround } from "./spans.ts";

/** Loaded later, because most people find a spot. */
const Wait = lazy(async () => (await import("./wait.tsx")).Wait);

/** The number of rows that fit on a phone with the rest of the screen. */
const FIRST = 6;

interface FreeProperties extends Span {
  readonly now: number;
  readonly pinned: Pinned;
}

export function Free({ start, end, now, pinned }: FreeProperties) {
  const personId = usePersonId();
  const all = together({
    spots: useReading(allSpots),
    bookings: useMovingReading(bookingsBetween(...hoursAround({ start, end }))),
    sections: useReading(allSections),
  });
  return whenRead(all, ({ spots, bookings, sections }) => {
    const limitsOf = (spot: Spot) => limitsIn(spot.building_section, sections);
    const wanted = { start, end, now, limitsOf, personId };
    const results = resultsOf(bookings.availabilities, spots, wanted);
    const isMissing = pinned.rows.length === 0 && !results.some(({ isWhole }) => isWhole);
    const row = (row: PinnedRow) => (
      <Row
        key={row.result.id}
        row={row}
        pinned={pinned}
        limits={limitsOf(row.result.spot)}
        now={now}
      />
    );
    return (
      <div class="stack">
        <Lists results={results} pinned={pinned.rows} row={row} />
        {isMissing && start > now && <Wait start={start} end={end} now={now} />}
      </div>
    );
  });
}

interface ListsProperties {
  readonly results: readonly Result[];
  readonly pinned: readonly PinnedRow[];
  readonly row: (row: PinnedRow) => ReturnType<typeof Row>;
}

function Lists({ results, pinned, row }: ListsProperties) {
  const whole = results.filter(({ isWhole }) => isWhole);
  const parts = results.filter(({ isWhole }) => !isWhole);
  const first = withPinned(
    whole,
    pinned.filter(({ result }) => result.isWhole),
  );
  // Parts are shown only if no spot is free for the whole span.
  const second = withPinned(
    whole.length > 0 ? [] : parts,
    pinned.filter(({ result }) => !result.isWhole),
  );
  return (
    <>
      <p class="unseen" role="status">
        {second.length > 0 ? t("find.parts") : t("now.free", { count: whole.length })}
      </p>
      {first.length > 0 && <List rows={first} row={row} />}
      {first.length === 0 && second.length === 0 && (
        <Empty title="find.nothing" text="find.nothingText" />
      )}
      {second.length > 0 && (
        <section class="stack" aria-labelledby="parts">
          <h3 id="parts">{t("find.parts")}</h3>
          <List rows={second} row={row} />
        </section>
      )}
    </>
  );
}

interface ListProperties {
  readonly rows: readonly (Result | PinnedRow)[];
  readonly row: ListsProperties["row"];
}

function List({ rows, row }: ListProperties) {
  const [areAll, showAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    // The button is gone, so the focus goes to the first row that it showed.
    if (areAll) list.current?.children[FIRST]?.querySelector("button")?.focus();
  }, [areAll]);
  const shown = areAll ? rows : rows.slice(0, FIRST);
  return (
    <>
      <ul class="free-rows" ref={list}>
        {shown.map((it, index) => row("result" in it ? it : { result: it, index }))}
      </ul>
      {shown.length < rows.length && (
        <button type="button" class="plain more" onClick={() => showAll(true)}>
          {t("now.more", { count: rows.length - shown.length })}
        </button>
      )}
    </>
  );
}
