import { withClient } from "../database/client.ts";
import type { EmbeddedPostgres } from "../embedded/cluster.ts";
import { createDatabase } from "../embedded/database.ts";
import { createLogger } from "../log/logger.ts";
import { applyCurrent } from "./current.ts";
import { locatedFailure } from "./locate-failure.ts";
import { runMigrations } from "./run.ts";
import { listSchema, readSnapshot, refuseDifference } from "./schema-listing.ts";
import { declaredFiles, expandIncludes, includeOf } from "./sql-files.ts";

/** The database that declaredListing creates from the migrations and current.sql. */
export const MIGRATED = "migrated";

/**
 * The listing of a database that is created from sql/, on a server that is thrown away afterwards.
 * @throws OperatorError if the migrations and current.sql lead to another database
 */
export async function declaredListing(postgres: EmbeddedPostgres): Promise<string> {
  const migrated = await listingAfter(postgres, MIGRATED, async (ownerUrl) => {
    await runMigrations(ownerUrl, createLogger("warn"));
    await applyCurrent(ownerUrl, createLogger("warn"));
  });
  const declared = await listingAfter(postgres, "declared", declare);
  refuseDifference(
    "migrations/ does not lead to what sql/ says (-: only in sql/, +: only in migrations/)",
    declared,
    migrated,
  );
  return declared;
}

/** @throws OperatorError if migrations/schema.sql differs */
export async function checkSnapshot(listing: string): Promise<void> {
  refuseDifference(
    "migrations/schema.sql is not up to date (npm run check:drift -- --update writes it)",
    await readSnapshot(),
    listing,
  );
}

/** Creates in a database what sql/ says. */
async function declare(ownerUrl: string): Promise<void> {
  const sql = (await declaredFiles()).map(includeOf).join("\n");
  const expanded = await expandIncludes(sql);
  try {
    await withClient(ownerUrl, (client) => client.query(expanded));
  } catch (error) {
    throw await locatedFailure(error, ownerUrl, "sql/all.sql", sql);
  }
}

async function listingAfter(
  postgres: EmbeddedPostgres,
  database: string,
  make: (ownerUrl: string) => Promise<unknown>,
): Promise<string> {
  await createDatabase(postgres, database);
  const ownerUrl = postgres.url("parking_owner", database);
  await make(ownerUrl);
  return withClient(ownerUrl, listSchema);
}
