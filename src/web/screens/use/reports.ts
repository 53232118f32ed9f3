import { get } from "../../api/client.ts";
import type { Source } from "../../api/reading.ts";
import { locale, plain, type Text } from "../../messages/translate.ts";
import { DAY } from "../../time/zone.ts";

/** The answers of the report API, each with the name of its rows. */

interface Use {
  readonly offered_minutes: number;
  readonly claimed_minutes: number;
  /** The share of what was offered; null if nothing was. */
  readonly share: number | null;
}

export interface HourOfUse extends Use {
  /** 1 is Monday. */
  readonly weekday: number;
  readonly hour: number;
}

export interface SectionOfUse extends Use {
  readonly building_section: string;
  readonly first_day: string;
}

export interface HourOfWishes {
  readonly weekday: number;
  readonly hour: number;
  readonly wished_minutes: number;
  readonly unmet_minutes: number;
  /** The share of what was wished for; null if nothing was. */
  readonly share: number | null;
}

export interface NeverOffered {
  readonly id: string;
  readonly spot_number: string;
  readonly building_section: string;
  readonly owner_id: string;
  readonly last_offered: string | null;
}

export interface NeverClaimed {
  readonly id: string;
  readonly spot_number: string;
  readonly building_section: string;
  readonly owner_id: string;
  readonly start_time: string;
  readonly end_time: string;
}

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
  key: `${name} ${JSON.stringify(question)}`,
  topics: ["reports"],
  read: () => get<Rows[Name]>(pathOf(name), question),
  lifetime: 10 * 60_000,
});

export const readCsv = (name: ReportName, question: Question): Promise<string> =>
  get<string>(pathOf(name), { ...question, format: "csv" });

/** Such as `37 %`. */
export const formatShare = (share: number): Text =>
  plain(share.toLocaleString(locale, { style: "percent", maximumFractionDigits: 0 }));

export const formatHours = (minutes: number): Text =>
  plain(Math.round(minutes / 60).toLocaleString(locale));

/** A day of the calendar is not a moment, so it has no time zone of its own. */
const formatDate = (date: number, options: Intl.DateTimeFormatOptions): Text =>
  plain(new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" }).format(date));

/** Such as `2 Nov`. */
export const formatDay = (date: string): Text =>
  formatDate(Date.parse(date), { day: "numeric", month: "short" });

const MONDAY = Date.UTC(2024, 0, 1);

/** Such as `Mon`; 1 is Monday. */
export const formatWeekday = (weekday: number): Text =>
  formatDate(MONDAY + (weekday - 1) * DAY, { weekday: "short" });
