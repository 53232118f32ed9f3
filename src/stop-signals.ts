/** What the terminal sends to everything in it, npm passes on once more: the two are one request. */
const SAME_REQUEST_MS = 500;

/** Stops at the first signal, and ends at once at a second one. */
export function onStopSignal(stop: () => Promise<void>): void {
  let stoppedAt: number | undefined;
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (stoppedAt === undefined) {
        stoppedAt = performance.now();
        void stop();
      } else if (performance.now() - stoppedAt > SAME_REQUEST_MS) {
        process.exit(1);
      }
    });
  }
}
