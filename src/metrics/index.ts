import type { Pool } from "pg";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { KeyFetches } from "../tokens/keys.ts";
import { version } from "../version.ts";
import {
  databaseMetrics,
  gaugesIn,
  jobMetrics,
  keyMetrics,
  type Pools,
  type SignInCounts,
  type StreamCounts,
  signInMetrics,
  streamMetrics,
  waitingMetrics,
} from "./gauges.ts";
import { type RequestMetrics, requestMetrics } from "./requests.ts";

export { listenForScrapes } from "./listener.ts";

export interface MetricsParts {
  readonly basePath: string;
  readonly pools: Pools;
  /** A connection that only the queries of the scrapes use. */
  readonly databasePool: Pool;
}

export interface Metrics extends RequestMetrics {
  /** Adds the metrics of the keys, if keys are fetched to verify tokens. */
  watchKeys(fetches: KeyFetches): void;
  /** Adds the metrics of event streams. */
  watchStreams(streams: StreamCounts): void;
  /** Adds what happened at the sign-in by mail. */
  watchSignIns(counts: SignInCounts): void;
  readonly contentType: string;
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>;
}

/** The only entry to the metrics. It is loaded only if a setting asks for them. */
export function createMetrics(parts: MetricsParts): Metrics {
  const { basePath, pools, databasePool } = parts;
  const registry = new Registry();
  const gauge = gaugesIn(registry, "parking_");
  gauge("build_info", "Always 1; the labels say what runs.", ["version", "node"]).set(
    { version, node: process.version },
    1,
  );
  collectDefaultMetrics({ register: registry });
  waitingMetrics(pools, registry);
  const questions = [databaseMetrics(databasePool, registry), jobMetrics(databasePool, registry)];

  return {
    ...requestMetrics(basePath, registry),
    watchKeys: (fetches) => keyMetrics(fetches, registry),
    watchStreams: (streams) => streamMetrics(streams, registry),
    watchSignIns: (counts) => signInMetrics(counts, registry),
    contentType: registry.contentType,
    async text() {
      await Promise.all(questions.map((ask) => ask()));
      return registry.metrics();
    },
  };
}
