import { Counter, type Registry } from "prom-client";
import { gaugesIn } from "./gauge.ts";

export interface StreamCounts {
  /** The number of open streams. */
  readonly count: () => number;
  readonly dropped: () => number;
}

export function streamMetrics({ count, dropped }: StreamCounts, registry: Registry): void {
  gaugesIn(registry, "parking_")("event_streams", "Open streams of events.", [], (it) =>
    it.set(count()),
  );
  new Counter({
    name: "parking_event_streams_dropped_total",
    help: "Streams of events that were cut off because their readers were too slow.",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(dropped());
    },
  });
}
