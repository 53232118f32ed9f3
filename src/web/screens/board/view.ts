import { updateQuery, useRoute } from "../../routing.ts";
import { addDays, dateOf, isDate, startOfDay, timeZone } from "../../time/zone.ts";

export const spans = [1, 3, 7] as const;
export type Days = (typeof spans)[number];

/** What of the board is looked at. It is in the address, so it can be kept and sent. */
export interface View {
  /** The first day. */
  readonly date: string;
  readonly days: Days;
  readonly from: number;
  readonly to: number;
  /** Empty for all. */
  readonly section: string;
  readonly onlyFree: boolean;
  readonly asTable: boolean;
}

const NARROW = "(max-width: 52rem)";

/** A phone shows a day, a larger screen three, until a person chooses. */
const usualDays = (): Days => (matchMedia(NARROW).matches ? 1 : 3);

export function useView(now: number): View {
  const { query } = useRoute();
  const zone = timeZone();
  const date = query.date && isDate(query.date) ? query.date : dateOf(now, zone);
  const days = spans.find((one) => String(one) === query.days) ?? usualDays();
  return {
    date,
    days,
    from: startOfDay(date, zone),
    to: startOfDay(addDays(date, days), zone),
    section: query.section ?? "",
    onlyFree: query.free === "yes",
    asTable: query.view === "table",
  };
}

/** Each choice is a step that the back button takes back. */
export const choose = {
  date: (date: string | undefined) => updateQuery({ date }),
  days: (days: Days) => updateQuery({ days: String(days) }),
  onlyFree: (only: boolean) => updateQuery({ free: only ? "yes" : undefined }),
  asTable: (table: boolean) => updateQuery({ view: table ? "table" : undefined }),
};
