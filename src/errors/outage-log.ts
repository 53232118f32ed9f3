import type { Logger } from "../log.ts";

const INTERVAL_MS = 1_000;

interface Outage {
  readonly requestId: unknown;
  /** Why, in words that cannot quote what people wrote. */
  readonly reason: string | undefined;
}

/** Loggers that wrote such a line in the last second, and how many failures came after it. */
const counts = new WeakMap<Logger, number>();

/** Of many answers 503 the first is logged at once, and after that their number each second. */
export function logOutage(logger: Logger, { requestId, reason }: Outage): void {
  const count = counts.get(logger);
  if (count !== undefined) {
    counts.set(logger, count + 1);
    return;
  }
  logger.error({ status: 503, requestId, reason }, "Service unavailable");
  nextSecond(logger, reason);
}

function nextSecond(logger: Logger, reason: Outage["reason"]): void {
  counts.set(logger, 0);
  setTimeout(() => {
    const count = counts.get(logger) ?? 0;
    counts.delete(logger);
    if (count === 0) return;
    logger.error({ status: 503, reason, count }, "Service unavailable");
    nextSecond(logger, reason);
  }, INTERVAL_MS).unref();
}
