import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { DatabaseError } from "pg";
import { withClient } from "../database/client.ts";
import { OperatorError } from "../errors/operator-error.ts";
import type { Logger } from "../log/logger.ts";

const ATTEMPTS = 10;
const LONGEST_PAUSE_MS = 30_000;
/** The pause between two checks for locks, and between two attempts to get the migration lock. */
const LOOK_MS = 500;

const sqlOf = (file: string): string => readFileSync(join(import.meta.dirname, file), "utf8");
const WAITS = sqlOf("waits.sql");
const MIGRATION_LOCK = sqlOf("migration-lock.sql");

interface Attempted {
  readonly ownerUrl: string;
  /** The name of the attempt's connections. */
  readonly applicationName: string;
  readonly logger: Logger;
}

/**
 * Migrates, and retries while the database is busy. A statement that waits for a table lock blocks
 * all later requests, so it waits only briefly, and requests get through before the next attempt.
 * Waiting for another migration has no limit. This polls its lock: a session waiting inside
 * PostgreSQL would block the other's `create index concurrently`.
 */
export async function withPatience(
  attempted: Attempted,
  attempt: () => Promise<void>,
): Promise<void> {
  const { ownerUrl, logger } = attempted;
  await withClient(ownerUrl, async (client) => {
    const log = loggedOnce(logger);
    for (let failures = 0; ; ) {
      const waits = observeWaits(client, attempted);
      try {
        await attempt();
        return;
      } catch (error) {
        const seen = await waits.stop();
        if (isMigrationLock(error)) {
          const holder = await holderOfMigrationLock(client).catch(() => "its process is unknown");
          log(`waiting for another migration: ${holder}`);
          await sleep(LOOK_MS);
          continue;
        }
        if (!isBusy(error)) throw error;
        failures += 1;
        const what = seen ?? "a lock that another session held";
        if (failures === ATTEMPTS) {
          const message = `The migration changed nothing: after ${ATTEMPTS} attempts it still waits for ${what}`;
          throw new OperatorError(message, { cause: error });
        }
        const pause = Math.min(500 * 2 ** failures, LONGEST_PAUSE_MS);
        logger.warn(
          `attempt ${failures} of ${ATTEMPTS} waited for ${what}: next in ${pause / 1000} s`,
        );
        await sleep(pause);
      } finally {
        await waits.stop();
      }
    }
  });
}

/** Whether the attempt waited too long or ended in a deadlock. In both cases nothing changed. */
const isBusy = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === "55P03" || error.code === "40P01");

const isMigrationLock = (error: unknown): boolean =>
  error instanceof Error && error.message === "Failed to get exclusive lock";

function loggedOnce(logger: Logger): (message: string) => void {
  let last: string | undefined;
  return (message) => {
    if (message !== last) logger.info(message);
    last = message;
  };
}

/** Logs what the attempt waits for while it waits. `stop` returns what it waited for last. */
function observeWaits(client: Client, { applicationName, logger }: Attempted) {
  const log = loggedOnce(logger);
  const stopped = new AbortController();
  let last: string | undefined;
  const observe = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      // If this check fails, the attempt continues.
      const wait = await waitOf(client, applicationName).catch(() => undefined);
      if (wait !== undefined) log(`waiting for ${wait}`);
      last = wait ?? last;
      await sleep(LOOK_MS, undefined, { signal: stopped.signal }).catch(() => {});
    }
  };
  const ended = observe();
  return {
    async stop(): Promise<string | undefined> {
      stopped.abort();
      await ended;
      return last;
    },
  };
}

async function waitOf(client: Client, applicationName: string): Promise<string | undefined> {
  const { rows } = await client.query<{ what: string }>(WAITS, [applicationName]);
  return rows[0]?.what;
}

async function holderOfMigrationLock(client: Client): Promise<string> {
  const { rows } = await client.query<{ what: string }>(MIGRATION_LOCK);
  return rows[0]?.what ?? "it has just ended";
}
