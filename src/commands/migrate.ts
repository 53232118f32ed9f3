/** `npm run migrate`: brings a database to the newest committed migration. */
import { readConfig } from "../config/config.ts";
import { withOwnerUrl } from "../embedded/database.ts";
import { createLogger } from "../log/logger.ts";
import { runMigrations } from "../migrations/run.ts";
import { storePageFiles } from "../pages/other-versions.ts";
import { runCommand } from "./run-command.ts";

await runCommand("npm run migrate", async () => {
  const config = readConfig(process.env);
  const logger = createLogger(config.logLevel);
  await withOwnerUrl(config, async (ownerUrl) => {
    await runMigrations(ownerUrl, logger);
    await storePageFiles(ownerUrl, logger);
  });
});
