/**
 * `npm run check:drift`: checks that sql/ agrees with migrations/ and with the snapshot
 * migrations/schema.sql, which people review. `-- --update` writes the snapshot. `-- --database`
 * compares the database of OWNER_DATABASE_URL with the committed migrations and sql/roles.sql, and
 * writes nothing. It needs only the service's packages, so other imports are dynamic.
 */
import { parseArgs } from "node:util";
import { readConfig } from "../config/config.ts";
import { withOwnerUrl } from "../embedded/database.ts";
import { withThrowAwayPostgres } from "../embedded/throw-away.ts";
import { checkDeployedDatabase } from "../migrations/deployed-database.ts";
import { writeSnapshot } from "../migrations/schema-listing.ts";
import { runCommand } from "./run-command.ts";

await runCommand("npm run check:drift [-- --update | --database]", async (args) => {
  const option = { type: "boolean", default: false } as const;
  const { values } = parseArgs({ args: [...args], options: { update: option, database: option } });
  if (values.database) {
    await withOwnerUrl(readConfig(process.env), checkDeployedDatabase);
    console.log("The database is what migrations/committed and sql/roles.sql make.");
    return;
  }
  const { checkSnapshot, declaredListing } = await import("../migrations/drift.ts");
  const listing = await withThrowAwayPostgres(declaredListing);
  if (values.update) await writeSnapshot(listing);
  await checkSnapshot(listing);
  console.log("sql/, migrations/ and migrations/schema.sql agree.");
});
