import { addDays, dateOf, HOUR, instantOf, type Span, startOfDay } from "../../time/zone.ts";

/** The moment at a place from 0 to 1, rounded in steps from the hour at which the period begins. */
export const momentAt = (share: number, { start, end }: Span, step: number): number =>
  start + Math.round((share * (end - start)) / step) * step;

export interface Tick {
  readonly at: number;
  readonly isMidnight: boolean;
}

const stepOf = (days: number): number => (days === 1 ? 2 : days === 3 ? 6 : 12);

/** By the clocks of the building, so that days with a clock change have the same lines. */
export function ticksOf(period: Span, days: number, zone: string): readonly Tick[] {
  const step = stepOf(days);
  const first = dateOf(period.start, zone);
  const ticks: Tick[] = [];
  for (let day = 0; day <= days; day++) {
    const date = addDays(first, day);
    ticks.push({ at: startOfDay(date, zone), isMidnight: true });
    for (let hour = step; hour < 24; hour += step) {
      const time = `${String(hour).padStart(2, "0")}:00`;
      ticks.push({ at: instantOf(date, time, zone), isMidnight: false });
    }
  }
  return ticks.filter(({ at }) => at >= period.start && at < period.end);
}

export const snapOf = (days: number): number => (days === 1 ? HOUR / 4 : HOUR / 2);
