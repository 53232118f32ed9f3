import type { Pool } from "pg";
import type { Registry } from "prom-client";
import { gaugesIn } from "./gauge.ts";

interface Count {
  readonly kind: string;
  readonly waiting: number;
  readonly failing: number;
  readonly given_up: number;
  readonly oldest_seconds: number;
}

/**
 * The jobs of all processes, queried again for each scrape.
 * @param pool its own connection, as for the other queries of a scrape
 */
export function jobMetrics(pool: Pool, registry: Registry): () => Promise<void> {
  const gauge = gaugesIn(registry, "parking_jobs_");
  const gauges = {
    waiting: gauge("waiting", "Jobs that are due, by kind.", ["kind"]),
    failing: gauge("failing", "Jobs that failed and will be tried again, by kind.", ["kind"]),
    given_up: gauge("given_up", "Jobs that were given up, by kind, as long as they are kept.", [
      "kind",
    ]),
    oldest_seconds: gauge("oldest_seconds", "How long the oldest job has been due, by kind.", [
      "kind",
    ]),
  };
  return async () => {
    const counts = await pool.query<Count>("select * from private.job_counts()").catch(() => null);
    for (const it of Object.values(gauges)) it.reset();
    for (const { kind, ...values } of counts?.rows ?? []) {
      gauges.waiting.set({ kind }, values.waiting);
      gauges.failing.set({ kind }, values.failing);
      gauges.given_up.set({ kind }, values.given_up);
      gauges.oldest_seconds.set({ kind }, values.oldest_seconds);
    }
  };
}
