/** What the terminal sends to everything in it, npm passes on once more: the two are one request. */
const SAME_REQUEST_MS = 500;

/** As long may a stop take: a database that is frozen would keep it for ever. The log needs the rest of ten seconds. */
const LONGEST_STOP_MS = 9_500;

/** Stops at the first signal, in ten seconds at most, and ends at once at a second one. */
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
