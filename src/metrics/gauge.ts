import { Gauge, type Registry } from "prom-client";

/** Makes gauges whose names have the same prefix. `collect` sets a gauge again for each scrape. */
export const gaugesIn =
  (registry: Registry, prefix: string) =>
  (
    name: string,
    help: string,
    labelNames: readonly string[] = [],
    collect: (gauge: Gauge) => void = () => {},
  ): Gauge =>
    new Gauge({
      name: prefix + name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        collect(this);
      },
    });
