/** What reports count, minute by minute, as a plain program would. */
export interface Span {
  readonly section: string;
  readonly start: number;
  readonly end: number;
}

export const MINUTE = 60_000;

/** The wall clock of a zone. Zones differ by quarters of an hour, so it is asked for each. */
export function clockOf(zone: string): (time: number) => { readonly day: string; hour: number } {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    hourCycle: "h23",
  });
  const known = new Map<number, { readonly day: string; hour: number }>();
  return (time) => {
    const quarter = Math.floor(time / (15 * MINUTE));
    const found = known.get(quarter);
    if (found) return found;
    const [day = "", hour = ""] = format.format(time).split(", ");
    const clock = { day, hour: Number(hour) };
    known.set(quarter, clock);
    return clock;
  };
}

/** 1 is Monday. */
export const weekdayOf = (day: string): number => new Date(`${day}T00:00Z`).getUTCDay() || 7;

/** How many minutes of the spans have each key; a minute without a key is not counted. */
export function minutesBy(
  spans: readonly Span[],
  keyOf: (time: number, section: string) => string | undefined,
): ReadonlyMap<string, number> {
  const minutes = new Map<string, number>();
  for (const { section, start, end } of spans) {
    for (let time = start; time < end; time += MINUTE) {
      const key = keyOf(time, section);
      if (key !== undefined) minutes.set(key, (minutes.get(key) ?? 0) + 1);
    }
  }
  return minutes;
}
