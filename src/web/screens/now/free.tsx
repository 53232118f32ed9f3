import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import {
  allSections,
  allSpots,
  type Bookings,
  bookingsBetween,
  favoriteSpots,
  limitsIn,
} from "../../api/lists.ts";
import { usePersonId } from "../../api/person.ts";
import { together, useMovingReading, useReading } from "../../api/reading.ts";
import type { FavoriteSpot, Section, Spot } from "../../api/resources.ts";
import { t } from "../../messages/translate.ts";
import { Button } from "../../parts/controls.tsx";
import { lazy, withTexts } from "../../parts/lazy.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { addDays, dateOf, type Span, startOfDay, timeZone } from "../../time/zone.ts";
import { type Result, resultsOf } from "./results.ts";
import { type Pinned, type PinnedRow, Row, withPinned } from "./row.tsx";
import { useFirstSection } from "./section.ts";
import { hoursAround, type Wanted } from "./spans.ts";

/** Loaded later, because most people find a spot. */
const Wait = lazy(async () => (await withTexts(import("./wait.tsx"), "claims")).Wait, null);

/** The number of rows that fit on a phone with the rest of the screen. */
const FIRST = 6;
const FIRST_PARTS = 3;

/** Whole days, so that other times of a day are there at once. */
const daysAround = ({ start, end }: Span): readonly [from: number, to: number] => [
  startOfDay(dateOf(start, timeZone()), timeZone()),
  startOfDay(addDays(dateOf(end, timeZone()), 1), timeZone()),
];

interface FreeProperties {
  readonly wanted: Wanted;
  /** The start moves with the present. */
  readonly isNow?: boolean;
  readonly now: number;
  readonly pinned: Pinned;
}

export function Free(properties: FreeProperties) {
  const { wanted, isNow } = properties;
  const favorites = useReading(favoriteSpots);
  const all = together({
    spots: useReading(allSpots),
    bookings: useMovingReading(
      bookingsBetween(...(isNow ? hoursAround(wanted) : daysAround(wanted))),
    ),
    sections: useReading(allSections),
    // Without the stars, only the order is another.
    favorites: favorites.error === undefined ? favorites : { value: [], ...favorites },
  });
  return whenRead(all, (read) => <Found {...properties} {...read} />);
}

interface FoundProperties extends FreeProperties {
  readonly spots: readonly Spot[];
  readonly bookings: Bookings;
  readonly sections: readonly Section[];
  readonly favorites: readonly FavoriteSpot[];
}

function Found(properties: FoundProperties) {
  const { wanted, now, pinned, spots, bookings, sections } = properties;
  const personId = usePersonId();
  const section = useFirstSection(spots);
  const [isAsking, ask] = useState(false);
  // Those of the first drawing, so that no row moves when it gets a star.
  const [favorites] = useState(() => new Set(properties.favorites.map(({ spot_id }) => spot_id)));
  const limitsOf = (spot: Spot) => limitsIn(spot.building_section, sections);
  const search = { ...wanted, now, limitsOf, personId, favorites, section };
  const results = resultsOf(bookings.availabilities, spots, search);
  const isMissing = pinned.rows.length === 0 && !results.some(({ isWhole }) => isWhole);
  const row = (row: PinnedRow) => (
    <Row
      key={row.result.id}
      row={row}
      wanted={wanted}
      pinned={pinned}
      limits={limitsOf(row.result.spot)}
      now={now}
    />
  );
  return (
    <div class="stack">
      <Lists results={results} pinned={pinned.rows} row={row} />
      {wanted.start > now && !isMissing && (
        <Button
          class="plain more"
          aria-expanded={isAsking ? "true" : "false"}
          onClick={() => ask(!isAsking)}
          text="wishes.another"
        />
      )}
      {wanted.start > now && (isMissing || isAsking) && (
        <Wait {...wanted} section={isMissing ? "" : section} now={now} />
      )}
    </div>
  );
}

interface ListsProperties {
  readonly results: readonly Result[];
  readonly pinned: readonly PinnedRow[];
  readonly row: (row: PinnedRow) => ReturnType<typeof Row>;
}

function Lists({ results, pinned, row }: ListsProperties) {
  const id = useId();
  const rowsOf = (isWhole: boolean) =>
    withPinned(
      results.filter((it) => it.isWhole === isWhole),
      pinned.filter(({ result }) => result.isWhole === isWhole),
    );
  const [whole, parts] = [rowsOf(true), rowsOf(false)];
  return (
    <>
      <p class="unseen" role="status">
        {t("now.free", { count: whole.length })}
        {parts.length > 0 && t("now.freePartly", { count: parts.length })}
      </p>
      {whole.length > 0 && <List rows={whole} most={FIRST} row={row} />}
      {whole.length === 0 && parts.length === 0 && (
        <Empty title="find.nothing" text="find.nothingText" />
      )}
      {parts.length > 0 && (
        <section class="stack" aria-labelledby={id}>
          <h3 id={id}>{t("find.parts")}</h3>
          <List rows={parts} most={Math.max(FIRST_PARTS, FIRST - whole.length)} row={row} />
        </section>
      )}
    </>
  );
}

interface ListProperties {
  readonly rows: readonly (Result | PinnedRow)[];
  /** The number of rows that are shown at first. */
  readonly most: number;
  readonly row: ListsProperties["row"];
}

function List({ rows, most, row }: ListProperties) {
  const [areAll, showAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    // The button is gone, so the focus goes to the first row that it showed.
    if (areAll) list.current?.children[most]?.querySelector("button")?.focus();
  }, [areAll]);
  const shown = areAll ? rows : rows.slice(0, most);
  return (
    <>
      <ul class="free-rows" ref={list}>
        {shown.map((it, index) => row("result" in it ? it : { result: it, index }))}
      </ul>
      {shown.length < rows.length && (
        <Button class="plain more" onClick={() => showAll(true)}>
          {t("now.more", { count: rows.length - shown.length })}
        </Button>
      )}
    </>
  );
}
