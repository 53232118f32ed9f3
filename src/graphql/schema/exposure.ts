import type { PgCodec } from "postgraphile/@dataplan/pg";
import { orderOf } from "../../rest/orders.ts";
import { type Exposure, tables } from "./tables.ts";

/** The entry in tables.ts for a row type; undefined for any other type. */
export function exposureOf(codec: PgCodec): Exposure | undefined {
  const pg = codec.extensions?.pg;
  return codec.attributes && pg?.schemaName === "parking" ? tables[pg.name] : undefined;
}

/** GraphQL has only what tables.ts names, and only mutations.ts writes. */
export const ExposurePlugin: GraphileConfig.Plugin = {
  name: "ParkingExposurePlugin",
  schema: {
    entityBehavior: {
      pgResource: {
        override: {
          provides: ["exposure"],
          callback: (behavior, { codec }) => [behavior, ...resourceBehaviors(exposureOf(codec))],
        },
      },
      pgCodecAttribute: {
        override: {
          provides: ["exposure"],
          callback: (behavior, [codec, column]) => [behavior, ...columnBehaviors(column, codec)],
        },
      },
      pgResourceUnique: {
        override: {
          provides: ["exposure"],
          // The other unique constraints exist for foreign keys.
          callback: (behavior, [, unique]) => [behavior, unique.isPrimary ? "single" : "-single"],
        },
      },
    },
  },
};

type Behaviors = readonly GraphileBuild.BehaviorString[];

function resourceBehaviors(exposure: Exposure | undefined): Behaviors {
  if (!exposure) return ["-*"];
  const always: Behaviors = [
    "-insert",
    "-update",
    "-delete",
    "-list",
    "-resource:connection:backwards",
    "-resource:groupedAggregates:having",
  ];
  return exposure.isAggregated ? always : [...always, "-aggregates", "-groupedAggregates"];
}

function columnBehaviors(column: string, codec: PgCodec): Behaviors {
  const exposure = exposureOf(codec);
  if (!exposure) return ["-*"];
  const { column: sortedBy } = orderOf(codec.extensions?.pg?.name); // an index has it
  const { shows, filters } = exposure;
  const isFilter = column in filters.properties;
  return [
    column in shows.properties ? "select" : "-select",
    isFilter ? "filterBy" : "-filterBy",
    isFilter || column === "id" ? "aggregate" : "-aggregate",
    column === sortedBy || column === "id" ? "orderBy" : "-orderBy",
  ];
}
