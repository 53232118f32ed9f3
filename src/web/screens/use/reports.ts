import type { ValueOf } from "../../../contract/fields.ts";
import type * as reports from "../../../contract/reports.ts";
import { get } from "../../api/client.ts";
import { answer } from "../../api/lists.ts";
import type { Source } from "../../api/reading.ts";
import { locale, plain, type Text } from "../../messages/translate.ts";

export type HourOfUse = ValueOf<typeof reports.UseOfHour>;
export type HourOfWishes = ValueOf<typeof reports.WishesOfHour>;
export type SectionOfUse = ValueOf<typeof reports.UseOfSection>;
export type NeverOffered = ValueOf<typeof reports.SpotNeverOffered>;
type NeverClaimed = ValueOf<typeof reports.WindowNeverClaimed>;

/** The answer of each report, with the name of its rows. */
export interface Rows {
  readonly "use-by-hour": { readonly hours: readonly HourOfUse[] };
  readonly "use-by-section": { readonly sections: readonly SectionOfUse[] };
  readonly "spots-never-offered": { readonly spots: readonly NeverOffered[] };
  readonly "windows-never-claimed": { readonly windows: readonly NeverClaimed[] };
  readonly "unmet-wishes": { readonly hours: readonly HourOfWishes[] };
}

export type ReportName = keyof Rows;

/** The parameters of a report, in dates of the building. `until` is the day after the period. */
export type Question = Readonly<Record<string, string | undefined>> & {
  readonly from: string;
  readonly until: string;
};

const pathOf = (name: ReportName): string => `/admin/reports/${name}`;

export const report = <Name extends ReportName>(
  name: Name,
  question: Question,
): Source<Rows[Name]> => ({
  ...answer(pathOf(name), ["reports"], question),
  lifetime: 10 * 60_000,
});

export const readCsv = (name: ReportName, question: Question): Promise<string> =>
  get<string>(pathOf(name), { ...question, format: "csv" });

export const formatShare = (share: number): Text =>
  plain(share.toLocaleString(locale, { style: "percent", maximumFractionDigits: 0 }));

export const formatHours = (minutes: number): Text =>
  plain(Math.round(minutes / 60).toLocaleString(locale));

/** A day of the calendar is not a moment, so it has no time zone of its own. */
export const formatDay = (date: string): Text => {
  const options = { day: "numeric", month: "short", timeZone: "UTC" } as const;
  return plain(new Intl.DateTimeFormat(locale, options).format(Date.parse(date)));
};
