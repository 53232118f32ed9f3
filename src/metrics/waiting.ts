import type { Pool } from "pg";
import type { Registry } from "prom-client";
import { boundsOf } from "../database/bounds.ts";
import { waitingIn } from "../overload/bound.ts";
import { gaugesIn } from "./gauges.ts";

/** The pools that requests use, by the values of the labels. */
export type Pools = Readonly<Record<string, Pool>>;

/** The number of connections in use, and of requests that wait for one or for their turn. */
export function waitingMetrics(pools: Pools, registry: Registry): void {
  const gauge = gaugesIn(registry, "parking_");
  const all = Object.entries(pools);

  const connections = "Connections to the database, in use or idle.";
  gauge("pool_connections", connections, ["pool", "state"], (it) => {
    for (const [pool, { totalCount, idleCount }] of all) {
      it.set({ pool, state: "in_use" }, totalCount - idleCount);
      it.set({ pool, state: "idle" }, idleCount);
    }
  });
  gauge("pool_connections_max", "As many connections a pool may have.", ["pool"], (it) => {
    for (const [pool, { options }] of all) it.set({ pool }, options.max);
  });
  const waiting =
    "Requests that wait: for the processor, for a connection of a pool, for their turn with a row, or in the queue of GraphQL.";
  gauge("waiting", waiting, ["for"], (it) => {
    for (const [name, pool] of all) {
      const count = pool.waitingCount + boundsOf(pool).bound.waitingIn("connection");
      it.set({ for: `${name}_connection` }, count);
    }
    for (const name of ["processor", "turn", "graphql_queue"])
      it.set({ for: name }, waitingIn(name));
  });
}
