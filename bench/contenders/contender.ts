import type { Building, Site } from "../building/site.ts";
import type { Extent, Sample } from "../load/script.ts";
import type { Measurement } from "../measurements.ts";

/** A database and the cluster that it is in. */
export interface Place {
  readonly site: Site;
  readonly building: Building;
}

/** Somebody who takes part, with a process of its own. */
export interface Contender {
  readonly name: string;
  readonly pid: number;
  /** Where its database is, if it has one. */
  readonly place?: Place | undefined;
  takesPart(measurement: Measurement): boolean;
  /** @throws Error where an answer was not the right one */
  run(measurement: Measurement, extent: Extent): Promise<Sample>;
}

/** The name of whose rate the others are a share. */
export const FLOOR = "Koa, constant";
/** With --big. */
export const SMALL = "100 spots, 1 year";
export const LARGE = "2,000 spots, 10 years";
export const SERVICE = "service";
/** With a building that was filled a moment ago and has no statistics yet. */
export const FRESH = "service, fresh building";
/** As several processes of a building need it. */
export const LIMITS = "limits in PostgreSQL";
