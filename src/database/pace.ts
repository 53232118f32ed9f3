/** How long turns take lately, in milliseconds: an average in which the last twenty count most. */
export interface Pace {
  milliseconds?: number;
}

/** Of the time that a request may wait: the rest is for an average that is wrong. */
const SHARE_OF_PATIENCE = 0.5;

export function note(pace: Pace, milliseconds: number): void {
  pace.milliseconds ??= milliseconds;
  pace.milliseconds += (milliseconds - pace.milliseconds) / 20;
}

/** How many may wait so that each gets its turn in time, where so many have theirs at once. */
export const mostInTime = (pace: Pace, atOnce: number, patienceMs: number): number =>
  pace.milliseconds === undefined
    ? Number.POSITIVE_INFINITY
    : Math.max(atOnce, (atOnce * patienceMs * SHARE_OF_PATIENCE) / pace.milliseconds);
