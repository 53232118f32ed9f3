/** `npm run migrate`: brings a database to the newest committed migration. */
import { readConfig } from "../config.ts";
import { runMigrations } from "../database/migrations.ts";
import { withOwnerUrl } from "../embedded/database.ts";
import { createLogger } from "../log.ts";
import { runCommand } from "./run-command.ts";

await runCommand("npm run migrate", async () => {
  const config = readConfig(process.env);
  const logger = createLogger(config.logLevel);
  await withOwnerUrl(config, (ownerUrl) => runMigrations(ownerUrl, logger));
});
