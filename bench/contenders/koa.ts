import { once } from "node:events";
import { join } from "node:path";
import { type Measurement, residentOf } from "../measurements.ts";
import { type Contender, FLOOR, type Place } from "./contender.ts";
import { type Arena, ask, httpContender } from "./http.ts";
import { type Program, startProgram } from "./program.ts";

export const startKoa = (): Promise<Program> =>
  startProgram(join(import.meta.dirname, "koa-server.ts"));

/** Bare Koa with a constant answer, and with the bytes with which the service answers a read. */
export function koaContenders(
  koa: Program,
  service: Program,
  arena: Arena,
  place: Place,
): readonly Contender[] {
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
          const [step] = measurement.steps(0, place.building);
          const { token } = arena.issuer.resident(residentOf(measurement, 0));
          if (step === undefined) throw new Error(`${measurement.name} has no step`);
          koa.child.send([path(measurement), (await ask(service.origin, step, token)).text]);
          await once(koa.child, "message");
          copies.add(measurement);
        }
        return same.run(measurement, extent);
      },
    },
  ];
}
