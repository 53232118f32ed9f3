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

/** A contender that answers over HTTP. */
export const httpContender = (
  name: string,
  { pid, origin }: Program,
  { load, issuer }: Arena,
  place: Place,
  translate = asItIs,
): Contender => ({
  name,
  pid,
  place,
  takesPart: (measurement) => translate(measurement) !== undefined,
  run: (measurement, extent) =>
    load.run({
      ...extent,
      origin,
      scripts: scriptsOf(measurement, place.building, issuer, translate(measurement)),
    }),
});

/** The answer to a step as the resident of the first connection. */
export async function ask(
  origin: string,
  { method, path, body }: Step,
  token: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const response = await fetch(origin + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, text: await response.text() };
}
