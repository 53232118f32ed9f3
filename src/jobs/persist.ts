import { setTimeout as sleep } from "node:timers/promises";
import { isOutage } from "../errors/outage.ts";

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Says to the database what must not be lost: again and again while it is away, as in a failover.
 * It may hear it twice.
 *
 * @throws its last error, where the signal is aborted or the same would fail again
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
