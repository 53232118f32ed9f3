import { updateQuery, useRoute } from "../../routing.ts";
import { addDays, dateOf, instantOf, isDate, timeOf, timeZone } from "../../time/zone.ts";

export const spans = [1, 3, 7] as const;
type Days = (typeof spans)[number];

export type View = ReturnType<typeof useView>;

const NARROW = "(max-width: 52rem)";

/** A phone shows a day, a larger screen three days, until a person chooses. */
const usualDays = (): Days => (matchMedia(NARROW).matches ? 1 : 3);

/** The line before a time, at which a board of the present begins: what is over takes no room. */
const beginAt = (time: string): string =>
  `${String(Math.floor(Number(time.slice(0, 2)) / 6) * 6).padStart(2, "0")}:00`;

/** The part of the board that is shown. It is in the address, so people can store and send it. */
export function useView(now: number) {
  const { query } = useRoute();
  const zone = timeZone();
  const isAhead = !(query.date && isDate(query.date));
  const date = isAhead ? dateOf(now, zone) : (query.date ?? "");
  const usual = usualDays();
  const days = spans.find((one) => String(one) === query.days) ?? usual;
  const section = query.section ?? "";
  const onlyFree = query.free === "yes";
  const asTable = query.view === "table";
  const begin = isAhead ? beginAt(timeOf(now, zone)) : "00:00";
  return {
    date,
    days,
    /** Whether it begins at the present, and not at midnight. */
    isAhead,
    start: instantOf(date, begin, zone),
    end: instantOf(addDays(date, days), begin, zone),
    section,
    onlyFree,
    asTable,
    /** The number of filters that differ from the default. */
    set: [days !== usual, section !== "", onlyFree, asTable].filter(Boolean).length,
    isFiltering: query.filters === "open",
    withUnshared: query.unshared === "yes",
  };
}

/** Each choice is a step that the back button undoes. */
export const choose = {
  date: (date: string | undefined) => updateQuery({ date }),
  days: (days: Days) => updateQuery({ days: String(days) }),
  onlyFree: (only: boolean) => updateQuery({ free: only ? "yes" : undefined }),
  asTable: (table: boolean) => updateQuery({ view: table ? "table" : undefined }),
  none: () =>
    updateQuery({ days: undefined, section: undefined, free: undefined, view: undefined }),
  openFilters: () => updateQuery({ filters: "open" }),
  unshared: (shown: boolean) =>
    updateQuery({ unshared: shown ? "yes" : undefined }, { replace: true }),
};
