import "./graphql/mode.ts";
import { readServiceConfig } from "./config/config.ts";
import { printable } from "./errors/operator-error.ts";
import { createLogger } from "./log/logger.ts";
import { startService } from "./service.ts";

/** What the terminal sends to everything in it, npm passes on once more: the two are one request. */
const SAME_REQUEST_MS = 500;

/** As long may a stop take: a database that is frozen would keep it for ever. The log needs the rest of ten seconds. */
const LONGEST_STOP_MS = 9_500;

// Process 1 of a container ignores a signal that nobody handles: so this comes before the start.
let stop = async (): Promise<void> => process.exit();
stopAtSignals();

try {
  const config = readServiceConfig(process.env);
  const service = await startService(config, createLogger(config.logLevel));
  stop = service.stop;
  // Standard error is for people; standard output is the log.
  console.error(`Parking spots are shared at ${service.origin}${config.basePath}`);
  if (service.metricsAddress) console.error(`Metrics are at ${service.metricsAddress}`);
  if (service.introduction) console.error(service.introduction);
} catch (error) {
  console.error(printable(error));
  process.exitCode = 1;
}

/** Stops at the first signal, in ten seconds at most, and ends at once at a second one. */
function stopAtSignals(): void {
  let stoppedAt: number | undefined;
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (stoppedAt === undefined) {
        stoppedAt = performance.now();
        setTimeout(() => process.exit(), LONGEST_STOP_MS).unref();
        void stop();
      } else if (performance.now() - stoppedAt > SAME_REQUEST_MS) {
        process.exit(1);
      }
    });
  }
}
