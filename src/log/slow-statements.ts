import { AsyncLocalStorage } from "node:async_hooks";
import type { Logger } from "./logger.ts";

/** The id of the request that is being handled; undefined outside a request. */
export const requestIds = new AsyncLocalStorage<string>();

/** Receives the names of the statements of one request, and the time when they began. */
export type Notice = (statements: readonly { readonly name: string }[], startedAt: number) => void;

/**
 * Logs the names of slow statements. It never logs their values, which are people's data.
 * @param milliseconds the time from which a statement is slow; 0 turns the log off
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
