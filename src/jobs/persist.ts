import { setTimeout as sleep } from "node:timers/promises";
import { isOutage } from "../errors/outage.ts";

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Writes to the database what must not be lost, and repeats this while the database is away, as in
 * a failover. The database may receive it twice.
 * @throws the last error, if the signal is aborted or the same write would fail again
 */
export async function persist(say: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      await say();
      return;
    } catch (error) {
      if (!isOutage(error)) throw error;
      await sleep(pause, undefined, { signal }).catch(() => {});
      if (signal.aborted) throw error;
    }
  }
}
