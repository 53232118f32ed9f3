import "./graphql/mode.ts";
import { readServiceConfig } from "./config/config.ts";
import { misspeltSettings } from "./config/misspelt.ts";
import { printable } from "./errors/operator-error.ts";
import { createLogger } from "./log/logger.ts";
import { startService } from "./service.ts";
import { stopAtSignals } from "./stop-at-signals.ts";
import { commit, version } from "./version.ts";

// Process 1 of a container ignores a signal that it does not handle, so this comes before the
// start.
let stop = async (): Promise<void> => process.exit();
stopAtSignals(() => void stop());

try {
  const config = readServiceConfig(process.env);
  const logger = createLogger(config.logLevel);
  logger.info({ version, commit }, "the service starts");
  for (const { name, meant } of misspeltSettings(process.env)) {
    logger.warn({ reason: `${name} is no setting, ${meant} is` }, "a setting may be misspelt");
  }
  const service = await startService(config, logger);
  stop = service.stop;
  // Standard error is for people, standard output for the log.
  console.error(`Parking spots are shared at ${service.origin}${config.basePath}`);
  if (service.metricsAddress) console.error(`Metrics are at ${service.metricsAddress}`);
  if (service.introduction) console.error(service.introduction);
} catch (error) {
  console.error(printable(error));
  process.exitCode = 1;
}
