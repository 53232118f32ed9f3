/**
 * `npm run migrate`: brings a database to the newest committed migration.
 * `npm run db:watch`: runs migrations/current.sql against the embedded database at each change.
 * `npm run db:commit -- --message "…"`: makes current.sql the next committed migration.
 */
import { parseArgs } from "node:util";
import { commit, watch } from "graphile-migrate";
import { readConfig } from "../config.ts";
import { migrateSettings, runMigrations } from "../database/migrations.ts";
import { EMBEDDED_DATABASE, withOwnerUrl, withPostgres } from "../embedded/database.ts";
import { createLogger } from "../log.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { message: { type: "string" } },
});
const config = readConfig(process.env);
const logger = createLogger(config.logLevel);

switch (positionals[0]) {
  case "watch":
    await withPostgres(config, async (postgres) => {
      await watch(migrateSettings(postgres.url("parking_owner", EMBEDDED_DATABASE), logger));
      await new Promise(() => {}); // until interrupted
    });
    break;
  case "commit":
    await withPostgres(config, async (postgres) => {
      await commit(
        {
          ...migrateSettings(postgres.url("parking_owner", EMBEDDED_DATABASE), logger),
          rootConnectionString: postgres.url("postgres", "postgres"),
          shadowConnectionString: postgres.url("parking_owner", "parking_shadow"),
        },
        values.message,
      );
    });
    break;
  default:
    await withOwnerUrl(config, (ownerUrl) => runMigrations(ownerUrl, logger));
}
