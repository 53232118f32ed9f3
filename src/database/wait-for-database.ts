import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { OperatorError } from "../errors/operator-error.ts";
import { isOutage } from "../errors/outage.ts";
import { reasonOf } from "../errors/reason.ts";
import type { Logger } from "../log/logger.ts";

const PATIENCE_MS = 60_000;
const PAUSE_MS = 1_000;

/**
 * Waits for a database that starts at the same time as the service, for a minute.
 * @throws OperatorError where it does not answer, or refuses the service
 */
export async function waitForDatabase(
  pool: Pool,
  logger: Logger,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const start = performance.now();
  for (;;) {
    try {
      await pool.query("select");
      return;
    } catch (error) {
      const reason = reasonOf(error);
      if (!isOutage(error) || performance.now() - start >= patienceMs) {
        throw new OperatorError(`DATABASE_URL: ${reason}`, { cause: error });
      }
      logger.warn({ reason }, "the database does not answer yet and is tried again");
      await sleep(PAUSE_MS);
    }
  }
}
