/** `npm run test:faults` takes ten minutes; `npm run test:all` repeats less of the same. */
export const isThorough = process.env.FAULTS === "thorough";

/** How often, how long or how many: in `npm run test:all`, and in `npm run test:faults`. */
export const effort = (usual: number, thorough: number): number => (isThorough ? thorough : usual);

/**
 * A bound on how long something takes: on a machine without other work, where `npm run test:faults`
 * runs, what is promised; elsewhere what only a hang exceeds.
 */
export const within = (milliseconds: number): number => effort(60_000 + milliseconds, milliseconds);
