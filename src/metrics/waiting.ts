import type { Pool } from "pg";
import { Gauge, type Registry } from "prom-client";
import { Limiter } from "../database/limiter.ts";
import { sharedConnectionsOf } from "../database/shared-connections.ts";
import { waitingForProcessor } from "../http/admission.ts";

/** The pools that requests use, by the names that the labels have. */
export type Pools = Readonly<Record<string, Pool>>;

/** How many connections are in use, and what waits for one or for its turn. */
export function waitingMetrics(pools: Pools, registry: Registry): void {
  const registers = [registry];
  const each = (set: (name: string, pool: Pool) => void) => {
    for (const [name, pool] of Object.entries(pools)) set(name, pool);
  };

  new Gauge({
    name: "parking_pool_connections",
    help: "Connections to the database, in use or idle.",
    labelNames: ["pool", "state"],
    registers,
    collect() {
      each((pool, { totalCount, idleCount }) => {
        this.set({ pool, state: "in_use" }, totalCount - idleCount);
        this.set({ pool, state: "idle" }, idleCount);
      });
    },
  });
  new Gauge({
    name: "parking_pool_connections_max",
    help: "As many connections a pool may have.",
    labelNames: ["pool"],
    registers,
    collect() {
      each((pool, { options }) => this.set({ pool }, options.max));
    },
  });
  new Gauge({
    name: "parking_waiting",
    help: "Requests that wait: for the processor, for a connection of a pool, for their turn with a row, or in the queue of GraphQL.",
    labelNames: ["for"],
    registers,
    collect() {
      each((name, pool) => {
        const waiting = pool.waitingCount + sharedConnectionsOf(pool).waitingCount;
        this.set({ for: `${name}_connection` }, waiting);
      });
      this.set({ for: "processor" }, waitingForProcessor());
      for (const name of ["turn", "graphql_queue"]) this.set({ for: name }, Limiter.waiting(name));
    },
  });
}
