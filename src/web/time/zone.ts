/** Times of the building: dates such as 2026-11-21 and times such as 08:30 in an IANA time zone. */

export const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface Span {
  readonly start: number;
  readonly end: number;
}

export const iso = (moment: number): string => new Date(moment).toISOString();

/** The difference to UTC from a moment on. */
export interface Offset {
  readonly since: string;
  readonly minutes: number;
}

let zoneOfBuilding = "UTC";
/** The offsets of a zone that the browser does not know. */
let offsets: readonly Offset[] | undefined;

/** The page shows all times in this zone. */
export const timeZone = (): string => zoneOfBuilding;

/** Called when the building has been read. */
export const setTimeZone = (zone: string, known?: readonly Offset[]): void => {
  zoneOfBuilding = zone;
  offsets = known;
};

/** Whether the browser knows the zone, which may be newer than the browser. */
export function isZone(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone }));
  } catch {
    return false;
  }
}

/**
 * The zone for formatting a moment, and the moment to format: if the browser does not know the
 * zone, a shifted moment in UTC.
 */
export const writtenZone = (): string => (offsets ? "UTC" : zoneOfBuilding);
export function writtenAs(instant: number): number {
  const found = offsets?.findLast(({ since }) => Date.parse(since) <= instant) ?? offsets?.[0];
  return instant + (found?.minutes ?? 0) * MINUTE;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  // The Swedish format is the one of ISO 8601.
  const formatter = new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "medium",
  });
  formatters.set(zone, formatter);
  return formatter;
}

const written = (instant: number, zone: string): string =>
  zone === zoneOfBuilding
    ? formatterOf(writtenZone()).format(writtenAs(instant))
    : formatterOf(zone).format(instant);

export const dateOf = (instant: number, zone: string): string =>
  written(instant, zone).slice(0, 10);
export const timeOf = (instant: number, zone: string): string =>
  written(instant, zone).slice(11, 16);

/** How far the clocks of the zone are ahead of UTC at this moment. */
const offsetAt = (instant: number, zone: string): number =>
  Date.parse(`${written(instant, zone).replace(" ", "T")}Z`) - Math.floor(instant / 1_000) * 1_000;

/**
 * The moment at which the clocks of the zone show this. If they show the time twice in autumn, it
 * is the first one. If they skip it in spring, it is the moment of the change.
 */
export function instantOf(date: string, time: string, zone: string): number {
  const utc = Date.parse(`${date}T${time}Z`);
  const before = utc - offsetAt(utc - DAY, zone);
  if (before + offsetAt(before, zone) === utc) return before;
  const after = utc - offsetAt(utc + DAY, zone);
  if (after + offsetAt(after, zone) === utc) return after;
  let change = after - (after % QUARTER);
  while (offsetAt(change, zone) === offsetAt(after, zone)) change += QUARTER;
  return change;
}

export const startOfDay = (date: string, zone: string): number => instantOf(date, "00:00", zone);

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00Z`) + days * DAY).toISOString().slice(0, 10);

/** A year that is still being typed is not valid, and distant years cannot be used. */
export const DATES = { min: "1900-01-01", max: "2999-12-31" } as const;

export const isDate = (text: string): boolean =>
  /^(19|2\d)\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** The moment in an address, such as `2026-11-21T08:30:00.000Z`, if it is valid. */
export const momentIn = (text: string | undefined): number | undefined =>
  text !== undefined && isDate(text.slice(0, 10)) && !Number.isNaN(Date.parse(text))
    ? Date.parse(text)
    : undefined;
export const isTime = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
