import { addDays, dateOf, HOUR, instantOf, startOfDay } from "../../time/zone.ts";

/** The period that the board shows, from its left edge to its right one. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** Where a moment is, from 0 at the left edge to 100 at the right one. */
export const position = (moment: number, { from, to }: Period): number =>
  Math.min(100, Math.max(0, ((moment - from) / (to - from)) * 100));

/** The moment at a place from 0 to 1, on a round time of the building, where the period begins at midnight. */
export const momentAt = (share: number, { from, to }: Period, step: number): number =>
  from + Math.round((share * (to - from)) / step) * step;

export const percent = (share: number): string => `${share.toFixed(3)}%`;

/** A vertical line of the board. */
export interface Tick {
  readonly at: number;
  readonly isMidnight: boolean;
}

/** How far the lines are apart, in hours. */
const stepOf = (days: number): number => (days === 1 ? 2 : days === 3 ? 6 : 12);

/** By the clocks of the building, so a day on which they change has its lines at the same times. */
export function ticksOf(period: Period, days: number, zone: string): readonly Tick[] {
  const step = stepOf(days);
  const first = dateOf(period.from, zone);
  const ticks: Tick[] = [];
  for (let day = 0; day < days; day++) {
    const date = addDays(first, day);
    ticks.push({ at: startOfDay(date, zone), isMidnight: true });
    for (let hour = step; hour < 24; hour += step) {
      const time = `${String(hour).padStart(2, "0")}:00`;
      ticks.push({ at: instantOf(date, time, zone), isMidnight: false });
    }
  }
  return ticks;
}

/** What dragging snaps to. */
export const snapOf = (days: number): number => (days === 1 ? HOUR / 4 : HOUR / 2);
