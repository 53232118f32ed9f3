/** The terminal signals all its processes, and npm forwards the signal: both are one request. */
const SAME_REQUEST_MS = 500;

/**
 * The longest time of a stop, because a frozen database would make it endless. The log needs the
 * rest of ten seconds.
 */
const LONGEST_STOP_MS = 9_500;

/** Stops at the first signal, in at most ten seconds. A second signal ends the process at once. */
export function stopAtSignals(stop: () => void): void {
  let stoppedAt: number | undefined;
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (stoppedAt === undefined) {
        stoppedAt = performance.now();
        setTimeout(() => process.exit(), LONGEST_STOP_MS).unref();
        stop();
      } else if (performance.now() - stoppedAt > SAME_REQUEST_MS) {
        process.exit(1);
      }
    });
  }
}
