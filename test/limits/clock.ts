import { jest } from "@jest/globals";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

export interface Clock {
  /** In milliseconds since 1970; a millisecond past a full second when stopped. */
  now(): number;
  pass(milliseconds: number): void;
  goOn(): void;
}

/** Stops the clock of the windows. Token verifiers made earlier keep the real one. */
export function stopClock(): Clock {
  let now = Math.floor(Date.now() / SECOND) * SECOND + 1;
  const spy = jest.spyOn(Date, "now").mockImplementation(() => now);
  return {
    now: () => now,
    pass(milliseconds) {
      now += milliseconds;
    },
    goOn: () => spy.mockRestore(),
  };
}
