import { DatabaseError } from "pg";
import type { Logger } from "../log/logger.ts";

const INTERVAL_MS = 1_000;

interface Outage {
  readonly requestId: unknown;
  /** Why, in words that cannot quote what people wrote. */
  readonly reason: string | undefined;
}

interface Count {
  readonly count: number;
  /** Of the last one: it may differ from the first. */
  readonly reason: Outage["reason"];
}

/** Loggers that wrote such a line in the last second, and the failures that came after it. */
const counts = new WeakMap<Logger, Count>();

/** Of many answers 503 the first is logged at once, and after that their number each second. */
export function logOutage(logger: Logger, { requestId, reason }: Outage): void {
  const before = counts.get(logger);
  if (before !== undefined) {
    counts.set(logger, { count: before.count + 1, reason });
    return;
  }
  logger.error({ status: 503, requestId, reason }, "Service unavailable");
  nextSecond(logger);
}

function nextSecond(logger: Logger): void {
  counts.set(logger, { count: 0, reason: undefined });
  setTimeout(() => {
    const { count, reason } = counts.get(logger) ?? { count: 0 };
    counts.delete(logger);
    if (count === 0) return;
    logger.error({ status: 503, reason, count }, "Service unavailable");
    nextSecond(logger);
  }, INTERVAL_MS).unref();
}

/**
 * Why PostgreSQL cannot serve, in its own words: they are about the server (`could not extend file
 * "base/16384/16388": No space left on device`) and quote nothing that people wrote.
 */
export const outageOf = (cause: unknown): string | undefined =>
  cause instanceof DatabaseError ? `${cause.code} ${cause.message}` : undefined;
