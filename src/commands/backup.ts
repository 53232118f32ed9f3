/** `npm run backup -- <new folder>`: copies the embedded database, also while a service runs. */
import { backUp } from "../backups/back-up.ts";
import { readConfig } from "../config/config.ts";
import { hasCluster } from "../embedded/cluster.ts";
import { withPostgres } from "../embedded/database.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { onlyArgument, runCommand } from "./run-command.ts";

await runCommand("npm run backup -- <new folder>", async (args) => {
  const folder = onlyArgument(args);
  const config = readConfig(process.env);
  if (config.databaseUrl !== undefined) {
    throw new OperatorError(
      "DATABASE_URL is set: npm run backup copies the embedded database only; docs/backups.md says how to back up others",
    );
  }
  if (!hasCluster(config.dataDir)) {
    throw new OperatorError(`DATA_DIR: there is no embedded database in ${config.dataDir}`);
  }
  const { people, spots, claims } = await withPostgres(config, (postgres) =>
    backUp(postgres, config.dataDir, folder),
  );
  console.log(
    `${folder} has the database, with ${people} people, ${spots} spots and ${claims} claims, and was read completely.`,
  );
  // While the original runs, the copy would send everybody the same mails.
  console.log(
    `To try it: PORT=3001 JOBS=off DATA_DIR=<a copy of ${folder}> npm start (docs/backups.md says what comes before)`,
  );
});
