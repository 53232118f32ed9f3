import { useLayoutEffect, useRef } from "preact/hooks";
import { plain, t } from "../../messages/translate.ts";
import { Icon } from "../../parts/icons.tsx";
import { formatted } from "../../time/format.ts";
import { addDays, DAY, startOfDay, timeZone } from "../../time/zone.ts";
import { choose, type View } from "./view.ts";

/** The number of days in a strip. */
const LENGTH = 14;

const daysBetween = (first: string, second: string): number =>
  Math.round((Date.parse(second) - Date.parse(first)) / DAY);

/** The start of the strip with the date. One strip begins today; others precede and follow it. */
const firstOf = (date: string, today: string): string =>
  addDays(today, Math.floor(daysBetween(today, date) / LENGTH) * LENGTH);

interface StripProperties {
  readonly view: View;
  readonly today: string;
}

/** Two weeks of days. A person chooses the first day that the board shows. */
export function Strip({ view, today }: StripProperties) {
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
      <button
        type="button"
        aria-label={t("board.earlier")}
        onClick={() => choose.date(addDays(first, -1))}
      >
        <Icon name="back" />
      </button>
      {first !== today && (
        <button type="button" onClick={() => choose.date(undefined)}>
          {t("time.today")}
        </button>
      )}
      {dates.map((date) => (
        <Day key={date} date={date} view={view} isToday={date === today} />
      ))}
      <button
        type="button"
        aria-label={t("board.later")}
        onClick={() => choose.date(addDays(first, LENGTH))}
      >
        <Icon name="forward" />
      </button>
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
  const isShown = start >= view.from && start < view.to;
  return (
    <button
      type="button"
      class="day-button"
      aria-pressed={isShown ? "true" : "false"}
      onClick={() => choose.date(isToday ? undefined : date)}
    >
      <span class="weekday">{isToday ? t("time.today") : formatted("weekday", start)}</span>
      <span class="number">{plain(` ${Number(date.slice(8))}`)}</span>
      <span class="unseen">{plain(` ${formatted("month", start)}`)}</span>
    </button>
  );
}
