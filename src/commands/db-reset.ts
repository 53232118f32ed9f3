/** `npm run db:reset`: drops the embedded database and creates it again from the migrations. */
import { resolve } from "node:path";
import { type Config, readConfig } from "../config/config.ts";
import { withClient } from "../database/client.ts";
import { findRunningPostgres } from "../embedded/cluster.ts";
import { createDatabase, EMBEDDED_DATABASE, withPostgres } from "../embedded/database.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { createLogger } from "../log/logger.ts";
import { runMigrations } from "../migrations/run.ts";
import { runCommand } from "./run-command.ts";

await runCommand("npm run db:reset", async () => {
  const config = readConfig(process.env);
  if (config.databaseUrl !== undefined || config.ownerDatabaseUrl !== undefined) {
    throw new OperatorError(
      "DATABASE_URL or OWNER_DATABASE_URL is set: npm run db:reset drops the embedded database only",
    );
  }
  await refuseWhileUsed(config);
  await withPostgres(config, async (postgres) => {
    await withClient(postgres.url("postgres", "postgres"), (client) =>
      client.query(`drop database ${client.escapeIdentifier(EMBEDDED_DATABASE)} with (force)`),
    );
    await createDatabase(postgres, EMBEDDED_DATABASE);
    await runMigrations(postgres.url("parking_owner", EMBEDDED_DATABASE), createLogger("warn"));
  });
  console.log("The embedded database is new. The next npm start fills the demo building.");
});

/** After the reset, a running service would meet a new database that it has not filled. */
async function refuseWhileUsed({ dataDir }: Config): Promise<void> {
  if ((await findRunningPostgres(dataDir)) === undefined) return;
  throw new OperatorError(`A service or another command uses ${resolve(dataDir)}: stop it first`);
}
