import { AsyncLocalStorage } from "node:async_hooks";
import type { Logger } from "./logger.ts";

/** The id of the request that the caller works for; none outside a request. */
export const requestIds = new AsyncLocalStorage<string>();

/** What the database did for one request, by the names of the statements, and when it began. */
export type Notice = (statements: readonly { readonly name: string }[], startedAt: number) => void;

/**
 * Names in the log the statements that took long. Never their values, which are people's data.
 *
 * @param milliseconds what counts as long; 0 turns it off
 */
export const noticeSlowStatements = (milliseconds: number, logger: Logger): Notice | undefined =>
  milliseconds === 0
    ? undefined
    : (statements, startedAt) => {
        const took = Math.round(performance.now() - startedAt);
        if (took < milliseconds) return;
        const line = {
          requestId: requestIds.getStore(),
          statements: statements.map(({ name }) => name),
          milliseconds: took,
        };
        logger.warn(line, "slow statements");
      };
