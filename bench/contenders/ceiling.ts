import { join } from "node:path";
import { startLoad } from "../load/load.ts";
import { scriptsOf } from "../measurements.ts";
import { CEILING, type Contender, type Place } from "./contender.ts";
import type { Arena } from "./http.ts";

/**
 * The SQL of the service without the service. It takes part in reads only: what a write sends
 * depends on the answers before it.
 */
export function openCeiling(
  { issuer }: Arena,
  place: Place,
  stack: AsyncDisposableStack,
): Contender {
  const file = join(import.meta.dirname, "../ceiling/client.ts");
  const client = stack.adopt(startLoad(file), (it) => it.close());
  return {
    name: CEILING,
    pid: client.pid,
    place,
    takesPart: (it) => it.name.startsWith("GET ") && it.name !== "GET /livez",
    run: (measurement, extent) =>
      client.run({
        ...extent,
        origin: place.building.url("parking_api"),
        scripts: scriptsOf(measurement, place.building, issuer),
      }),
  };
}
