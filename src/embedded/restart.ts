import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../log/logger.ts";
import type { Program } from "./binaries.ts";

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 30_000;
/** A server that ran for this time did not fail because of how it was started. */
const STABLE_MS = 60_000;

/**
 * Starts a server again whenever it ends, after a pause that grows if it soon ends again.
 *
 * @param start gives up when its signal is aborted
 */
export function keepRunning(
  first: Program,
  start: (signal: AbortSignal) => Promise<Program>,
  logger: Logger | undefined,
): AsyncDisposable {
  const stopping = new AbortController();
  const { signal } = stopping;
  let server = first;

  async function run(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    for (let startedAt = performance.now(); ; ) {
      const exitCode = await server.ended;
      if (signal.aborted) return;
      if (performance.now() - startedAt > STABLE_MS) pause = FIRST_PAUSE_MS;
      logger?.error({ exitCode, pause }, "the embedded PostgreSQL ended and is started again");
      await sleep(pause, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      startedAt = performance.now();
      try {
        server = await start(signal);
        if (signal.aborted) return await server[Symbol.asyncDispose]();
        logger?.info("the embedded PostgreSQL runs again");
      } catch (error) {
        if (signal.aborted) return;
        logger?.error({ err: error }, "the embedded PostgreSQL cannot be started");
      }
    }
  }
  const over = run();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await server[Symbol.asyncDispose]();
      await over;
    },
  };
}
