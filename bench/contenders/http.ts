import type { Issuer } from "../building/people.ts";
import type { Load } from "../load/load.ts";
import type { Step } from "../load/script.ts";
import { type Measurement, scriptsOf } from "../measurements.ts";
import type { Contender, Place } from "./contender.ts";
import type { Program } from "./program.ts";

export interface Arena {
  readonly load: Load;
  readonly issuer: Issuer;
}

/** What a contender sends in place of the measurement's own requests; undefined: it stays out. */
export type Translation = (measurement: Measurement) => Measurement["steps"] | undefined;

export const asItIs: Translation = ({ steps }) => steps;

export interface HttpContender extends Contender {
  /** Its answer to what the first connection sends first. */
  ask(measurement: Measurement): Promise<string>;
}

/** A contender that answers over HTTP. */
export function httpContender(
  name: string,
  { pid, origin }: Program,
  { load, issuer }: Arena,
  place: Place,
  translate = asItIs,
): HttpContender {
  const scripts = (measurement: Measurement) =>
    scriptsOf(measurement, place.building, issuer, translate(measurement));
  return {
    name,
    pid,
    place,
    takesPart: (measurement) => translate(measurement) !== undefined,
    run: (measurement, extent) => load.run({ ...extent, origin, scripts: scripts(measurement) }),
    async ask(measurement) {
      const [script] = scripts(measurement);
      const [step] = script?.steps ?? [];
      if (script === undefined || step === undefined) throw new Error("no request to send");
      return ask(origin, step, script.token);
    },
  };
}

async function ask(origin: string, { method, path, body }: Step, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const init = body === undefined ? {} : { body };
  return (await fetch(origin + path, { method, headers, ...init })).text();
}
