import { type Client, DatabaseError } from "pg";
import type { Config } from "../config/config.ts";
import { withClient } from "../database/client.ts";
import { withOwnerUrl } from "../embedded/database.ts";
import { otherVersion } from "../errors/operator-error.ts";

/** PostgreSQL's codes for a function, a table and a schema that is missing. */
const MISSING = ["42883", "42P01", "3F000"];

/** Runs the statements of a command as the owner of the database of the settings. */
export const asOwner = <T>(config: Config, use: (client: Client) => Promise<T>): Promise<T> =>
  withOwnerUrl(config, (url) => withClient(url, use)).catch((error: unknown) => {
    if (error instanceof DatabaseError && MISSING.includes(error.code ?? ""))
      throw otherVersion(
        `The database is not ready, ${error.message}. If the service is starting, try again in a minute. Otherwise`,
      );
    throw error;
  });
