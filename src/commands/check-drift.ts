/**
 * `npm run check:drift`: sql/ says what the database is, migrations/ how it got there. This checks
 * that they agree, and that the snapshot migrations/schema.sql, which people review, shows it.
 * `npm run check:drift -- --update` writes the snapshot.
 */
import { parseArgs } from "node:util";
import { checkSnapshot, declaredListing, writeSnapshot } from "./drift.ts";
import { runCommand } from "./run-command.ts";

await runCommand("npm run check:drift [-- --update]", async (args) => {
  const options = { update: { type: "boolean", default: false } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const listing = await declaredListing();
  if (values.update) await writeSnapshot(listing);
  await checkSnapshot(listing);
  console.log("sql/, migrations/ and migrations/schema.sql agree.");
});
