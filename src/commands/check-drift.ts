/**
 * `npm run check:drift`: sql/ says what the database is, migrations/ how it got there. This checks
 * that they agree, that the snapshot migrations/schema.sql, which people review, shows it, and that
 * the migrations of releases are what was released.
 * `npm run check:drift -- --update` writes the snapshot.
 *
 * `npm run check:drift -- --database` checks that the database of OWNER_DATABASE_URL is what the
 * committed migrations and sql/roles.sql make. It writes nothing there, and needs only what the
 * service needs: the rest is loaded where it is used.
 */
import { parseArgs } from "node:util";
import { readConfig } from "../config/config.ts";
import { withOwnerUrl } from "../embedded/database.ts";
import { withThrowAwayPostgres } from "../embedded/throw-away.ts";
import { checkDatabase } from "../migrations/deployed-database.ts";
import { readMigrations, refuseChanged } from "../migrations/history.ts";
import { writeSnapshot } from "../migrations/schema-listing.ts";
import { runCommand } from "./run-command.ts";

await runCommand("npm run check:drift [-- --update | --database]", async (args) => {
  const option = { type: "boolean", default: false } as const;
  const { values } = parseArgs({ args: [...args], options: { update: option, database: option } });
  if (values.database) {
    await withOwnerUrl(readConfig(process.env), checkDatabase);
    console.log("The database is what migrations/committed and sql/roles.sql make.");
    return;
  }
  await refuseChanged(await readMigrations());
  const { checkSnapshot, declaredListing } = await import("../migrations/drift.ts");
  const listing = await withThrowAwayPostgres(declaredListing);
  if (values.update) await writeSnapshot(listing);
  await checkSnapshot(listing);
  console.log("sql/, migrations/ and migrations/schema.sql agree.");
});
