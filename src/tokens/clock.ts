/** The present in milliseconds. */
export type Clock = () => number;

/** Whether less than `span` has passed since then. After a clock set back, nothing is recent. */
export const isRecent = (moment: number, span: number, now: number): boolean =>
  moment <= now && now < moment + span;
