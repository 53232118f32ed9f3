import { Counter, Gauge, type Registry } from "prom-client";
import type { KeyFetches } from "../tokens/keys.ts";

/** Whether the identity provider still gives its keys. */
export function keyMetrics({ ageSeconds, failures }: KeyFetches, registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: "parking_identity_keys_age_seconds",
    help: "Time since the identity provider was asked for the keys in use; +Inf before there are any.",
    registers,
    collect() {
      this.set(ageSeconds());
    },
  });
  new Counter({
    name: "parking_identity_key_fetch_failures_total",
    help: "Fetches of the identity provider's keys that failed.",
    registers,
    collect() {
      this.reset();
      this.inc(failures());
    },
  });
}
