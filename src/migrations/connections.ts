import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { clearAllPools } from "graphile-migrate/dist/pgReal.js";
import { withClient } from "../database/client.ts";

const PATIENCE_MS = 10_000;

/**
 * Calls graphile-migrate and returns when its connections are closed.
 *
 * graphile-migrate keeps them open for 200 ms after a call, and ends the whole process when one of
 * them breaks, as when the embedded server stops. The process would then end before it has printed
 * why a start or a migration failed. So we close them, and ask the server whether they are gone.
 */
export async function withConnectionsClosed<T>(
  ownerUrl: string,
  use: (applicationName: string) => Promise<T>,
): Promise<T> {
  const applicationName = `parking-migrate-${randomBytes(4).toString("hex")}`;
  try {
    return await use(applicationName);
  } finally {
    clearAllPools();
    await connectionsClosed(ownerUrl, applicationName);
  }
}

/** Every role may see the application names of all, so this finds the superuser's connections too. */
const connectionsClosed = (ownerUrl: string, applicationName: string): Promise<void> =>
  withClient(ownerUrl, async (client) => {
    const sql = "select from pg_catalog.pg_stat_activity where application_name = $1";
    const deadline = Date.now() + PATIENCE_MS;
    while (((await client.query(sql, [applicationName])).rowCount ?? 0) > 0) {
      if (Date.now() > deadline) throw new Error("graphile-migrate does not close its connections");
      await sleep(10);
    }
  });
