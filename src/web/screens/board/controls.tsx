import { useLayoutEffect, useRef } from "preact/hooks";
import type { Spot } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { Button, Choice, Icon } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Check } from "../../parts/fields.tsx";
import { useClose } from "../../parts/form.tsx";
import { Sections } from "../../parts/sections.tsx";
import { closing } from "../../routing.ts";
import { formatted } from "../../time/format.ts";
import { addDays, DAY, startOfDay, timeZone } from "../../time/zone.ts";
import { choose, spans, type View } from "./view.ts";

interface ControlsProperties {
  readonly view: View;
  readonly today: string;
  readonly spots: readonly Spot[];
}

export const Controls = ({ view, today, spots }: ControlsProperties) => (
  <div class="beside controls board-controls no-print">
    <Strip view={view} today={today} />
    <Filters view={view} spots={spots} />
  </div>
);

interface FiltersProperties {
  readonly view: View;
  readonly spots: readonly Spot[];
}

/** One button for the filters, which people seldom use. It shows the number of active ones. */
function Filters({ view, spots }: FiltersProperties) {
  return (
    <>
      <Button class="filters-button" onClick={choose.openFilters}>
        <Icon name="filters" />
        <span class="filters-name">{t("board.filters")}</span>
        {view.set > 0 && (
          <span class="count">
            <span aria-hidden="true">{plain(String(view.set))}</span>
            <span class="unseen">{t("board.filtersSet", { count: view.set })}</span>
          </span>
        )}
      </Button>
      {view.isFiltering && (
        <Dialog title={t("board.filters")} close={closing("filters")}>
          <Sheet view={view} spots={spots} />
        </Dialog>
      )}
    </>
  );
}

function Sheet({ view, spots }: FiltersProperties) {
  return (
    <div class="stack filters">
      <Check name="free" checked={view.onlyFree} change={choose.onlyFree}>
        {t("board.onlyFree")}
      </Check>
      <Sections spots={spots} section={view.section} />
      <Choice
        label="board.days"
        value={view.days}
        options={spans.map((days) => [days, t("board.span", { count: days })] as const)}
        choose={choose.days}
      />
      <Choice
        label="board.view"
        value={view.asTable}
        options={[
          [false, t("board.asBoard")],
          [true, t("board.asTable")],
        ]}
        choose={choose.asTable}
      />
      <label class="field">
        {t("board.firstDay")}
        <input
          type="date"
          value={view.date}
          onChange={(event) => choose.date(event.currentTarget.value || undefined)}
        />
      </label>
      <div class="actions">
        <Button class="main-action" onClick={useClose()} text="board.show" />
        <Button disabled={view.set === 0} onClick={choose.none} text="board.noFilters" />
      </div>
    </div>
  );
}

const LENGTH = 14;

const daysBetween = (first: string, second: string): number =>
  Math.round((Date.parse(second) - Date.parse(first)) / DAY);

/** The start of the strip with the date. One strip begins today; others precede and follow it. */
const firstOf = (date: string, today: string): string =>
  addDays(today, Math.floor(daysBetween(today, date) / LENGTH) * LENGTH);

/** Two weeks of days. A person chooses the first day that the board shows. */
function Strip({ view, today }: { readonly view: View; readonly today: string }) {
  const strip = useRef<HTMLDivElement>(null);
  const first = firstOf(view.date, today);
  const dates = Array.from({ length: LENGTH }, (_, day) => addDays(first, day));
  useLayoutEffect(() => {
    const { current } = strip;
    const chosen = current?.querySelector<HTMLElement>("[aria-pressed=true]");
    // scrollIntoView() would also move the page.
    if (current && chosen) current.scrollLeft = chosen.offsetLeft - current.clientWidth / 8;
  }, [view.date]);
  return (
    <div class="strip" ref={strip} role="group" aria-label={t("board.firstDay")}>
      <Button aria-label={t("board.earlier")} onClick={() => choose.date(addDays(first, -1))}>
        <Icon name="back" />
      </Button>
      {first !== today && <Button onClick={() => choose.date(undefined)} text="time.today" />}
      {dates.map((date) => (
        <Day key={date} date={date} view={view} isToday={date === today} />
      ))}
      <Button aria-label={t("board.later")} onClick={() => choose.date(addDays(first, LENGTH))}>
        <Icon name="forward" />
      </Button>
    </div>
  );
}

interface DayProperties {
  readonly date: string;
  readonly view: View;
  readonly isToday: boolean;
}

function Day({ date, view, isToday }: DayProperties) {
  const start = startOfDay(date, timeZone());
  const isShown = date >= view.date && date < addDays(view.date, view.days);
  return (
    <Button
      class="day-button"
      aria-pressed={isShown ? "true" : "false"}
      onClick={() => choose.date(isToday && !view.isAhead ? undefined : date)}
    >
      <span class="weekday">{isToday ? t("time.today") : formatted("weekday", start)}</span>
      <span class="number">{plain(` ${Number(date.slice(8))}`)}</span>
      <span class="unseen">{plain(` ${formatted("month", start)}`)}</span>
    </Button>
  );
}
