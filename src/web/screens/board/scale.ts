import { addDays, dateOf, HOUR, instantOf, startOfDay } from "../../time/zone.ts";

/** The period of the board, from its left edge to its right edge. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** The position of a moment, from 0 at the left edge to 100 at the right edge. */
export const position = (moment: number, { from, to }: Period): number =>
  Math.min(100, Math.max(0, ((moment - from) / (to - from)) * 100));

/** The moment at a place from 0 to 1, rounded in steps from the hour at which the period begins. */
export const momentAt = (share: number, { from, to }: Period, step: number): number =>
  from + Math.round((share * (to - from)) / step) * step;

export const percent = (share: number): string => `${share.toFixed(3)}%`;

export interface Tick {
  readonly at: number;
  readonly isMidnight: boolean;
}

const stepOf = (days: number): number => (days === 1 ? 2 : days === 3 ? 6 : 12);

/** By the clocks of the building, so that days with a clock change have the same lines. */
export function ticksOf(period: Period, days: number, zone: string): readonly Tick[] {
  const step = stepOf(days);
  const first = dateOf(period.from, zone);
  const ticks: Tick[] = [];
  for (let day = 0; day <= days; day++) {
    const date = addDays(first, day);
    ticks.push({ at: startOfDay(date, zone), isMidnight: true });
    for (let hour = step; hour < 24; hour += step) {
      const time = `${String(hour).padStart(2, "0")}:00`;
      ticks.push({ at: instantOf(date, time, zone), isMidnight: false });
    }
  }
  return ticks.filter(({ at }) => at >= period.from && at < period.to);
}

export const snapOf = (days: number): number => (days === 1 ? HOUR / 4 : HOUR / 2);
