/** `npm run db:url -- <role>`: prints the URL of the running embedded database, for psql. */
import { readConfig } from "../config/config.ts";
import { loginRolesOf } from "../database/roles.ts";
import { findRunningPostgres } from "../embedded/cluster.ts";
import { EMBEDDED_DATABASE } from "../embedded/database.ts";
import { SUPERUSER } from "../embedded/passwords.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { onlyArgument, runCommand } from "./run-command.ts";

await runCommand("npm run db:url -- <role>, such as parking_reporter", async (args) => {
  const role = onlyArgument(args);
  const roles = [SUPERUSER, ...loginRolesOf("parking")];
  if (!roles.includes(role)) {
    throw new OperatorError(`${role} is no role of the embedded database: ${roles.join(", ")}`);
  }
  const { dataDir } = readConfig(process.env);
  const postgres = await findRunningPostgres(dataDir);
  if (!postgres) throw new OperatorError(`No service runs on ${dataDir}: npm start`);
  console.log(postgres.url(role, EMBEDDED_DATABASE));
});
