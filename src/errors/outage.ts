import { types } from "node:util";
import { DatabaseError } from "pg";
import type { Logger } from "../log/logger.ts";
import { errorsIn } from "./reason.ts";

/** Whether the same request may succeed later without anybody's help. */
export const isOutage = (error: unknown): boolean =>
  error instanceof DatabaseError ? isUnavailable(error.code ?? "") : isNetworkError(error);

/** pg and Node throw these if there is no answer. A TypeError is a defect of the service. */
const isNetworkError = (error: unknown): boolean =>
  errorsIn(error).some(
    (it) =>
      types.isNativeError(it) &&
      ("syscall" in it ||
        /^(Connection terminated|timeout ex(ceeded|pired)|Query read timeout|Client )/.test(
          it.message,
        )),
  );

/**
 * Connection trouble (08), lack of a resource (53), a stop or start (57P01 to 57P03), a statement,
 * a lock or a transaction that took too long (57014, 55P03, 25P04), conflicts that outlasted the
 * retries (40001, 40P01), or a server that became read-only (25006).
 */
export const isUnavailable = (sqlState: string): boolean =>
  /^(08|53)|^(57P0[1-3]|57014|55P03|25P04|40001|40P01|25006)$/.test(sqlState);

const INTERVAL_MS = 1_000;

interface Outage {
  readonly requestId: unknown;
  /** The reason, in words that cannot quote what people wrote. */
  readonly reason: string | undefined;
}

/** The failures since the last line in the log. */
interface Missed {
  count: number;
  /** The reason of the last failure, which may differ from the first. */
  reason: Outage["reason"];
}

/** One entry for each logger that wrote such a line in the last second. */
const missedBy = new WeakMap<Logger, Missed>();

/** Logs the first of many 503 answers at once, and after that their number every second. */
export function logOutage(logger: Logger, { requestId, reason }: Outage): void {
  const missed = missedBy.get(logger);
  if (missed === undefined) {
    logger.error({ status: 503, requestId, reason }, "Service unavailable");
    countOneSecond(logger);
  } else {
    missed.count++;
    missed.reason = reason;
  }
}

function countOneSecond(logger: Logger): void {
  const missed: Missed = { count: 0, reason: undefined };
  missedBy.set(logger, missed);
  setTimeout(() => {
    missedBy.delete(logger);
    if (missed.count === 0) return;
    logger.error({ status: 503, ...missed }, "Service unavailable");
    countOneSecond(logger);
  }, INTERVAL_MS).unref();
}

/**
 * Why PostgreSQL cannot serve, in its own words. They are about the server (`could not extend file
 * "base/16384/16388": No space left on device`) and quote nothing that people wrote.
 */
export const outageOf = (cause: unknown): string | undefined =>
  cause instanceof DatabaseError ? `${cause.code} ${cause.message}` : undefined;
