import { once } from "node:events";
import { join } from "node:path";
import type { Measurement } from "../measurements.ts";
import { type Contender, FLOOR, type Place } from "./contender.ts";
import { type Arena, type HttpContender, httpContender } from "./http.ts";
import { type Program, startProgram } from "./program.ts";

export const startKoa = (): Promise<Program> =>
  startProgram(join(import.meta.dirname, "koa-server.ts"));

/** Bare Koa with a constant answer, and with the bytes with which the service answers a read. */
export function koaContenders(
  koa: Program,
  service: HttpContender,
  arena: Arena,
  place: Place,
): readonly [Contender, Contender] {
  const copies = new Set<Measurement>();
  const constant: Measurement["steps"] = () => [{ method: "GET", path: "/", statuses: [200] }];
  const path = (measurement: Measurement) => `/${encodeURIComponent(measurement.name)}`;
  const same = httpContender("Koa, same bytes", koa, arena, place, (measurement) =>
    measurement.reads
      ? () => [{ method: "GET", path: path(measurement), statuses: [200] }]
      : undefined,
  );
  return [
    { ...httpContender(FLOOR, koa, arena, place, () => constant), place: undefined },
    {
      ...same,
      place: undefined,
      async run(measurement, extent) {
        if (!copies.has(measurement)) {
          koa.child.send([path(measurement), await service.ask(measurement)]);
          await once(koa.child, "message");
          copies.add(measurement);
        }
        return same.run(measurement, extent);
      },
    },
  ];
}
