/** `npm run db:url -- <role>`: how to reach the embedded database of the running service, for psql. */
import { readConfig } from "../config.ts";
import { findRunningPostgres } from "../embedded/cluster.ts";
import { EMBEDDED_DATABASE } from "../embedded/database.ts";
import { runCommand } from "./run-command.ts";

await runCommand("npm run db:url -- <role>, such as parking_reporter", async ([role]) => {
  const { dataDir } = readConfig(process.env);
  const postgres = await findRunningPostgres(dataDir);
  if (!postgres) throw new Error(`No service runs on ${dataDir}: npm start`);
  console.log(postgres.url(role, EMBEDDED_DATABASE));
});
