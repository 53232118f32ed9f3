import "./graphql/mode.ts";
import { ConfigError, readConfig } from "./config.ts";
import { people } from "./development/people.ts";
import { createLogger } from "./log.ts";
import { startService } from "./service.ts";

try {
  const config = readConfig(process.env);
  const service = await startService(config, createLogger(config.logLevel));

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => service.stop());
  }
  // People read standard error here; standard output is the log.
  console.error(`Parking spots are shared at ${service.origin}${config.basePath}`);
  if (!config.databaseUrl && !config.tokens) {
    console.error(introduction(service.origin, config.basePath));
  }
} catch (error) {
  console.error(error instanceof ConfigError || isOperational(error) ? error.message : error);
  process.exitCode = 1;
}

/** What the person at the terminal can mend: said in a line, without a stack. */
function isOperational(error: unknown): error is Error {
  return error instanceof Error && error.constructor === Error;
}

function introduction(origin: string, basePath: string): string {
  return `
A demo building lives here. Open ${origin}/docs, or try it as one of its residents:

  curl -H "Authorization: Bearer $(npm run -s token -- ${people.maria.email})" ${origin}${basePath}/dashboard
`;
}
