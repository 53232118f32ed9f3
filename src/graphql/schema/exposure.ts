import type { PgCodec, PgResourceUnique } from "postgraphile/@dataplan/pg";
import { listOf } from "../../contract/routes.ts";
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
          callback: (behavior, [{ codec }, unique]) => [
            behavior,
            ...uniqueBehaviors(unique, exposureOf(codec)),
          ],
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
  return [
    ...always,
    ...(exposure.isAggregated ? [] : notAggregated),
    ...(exposure.isListed === false ? notListed : []),
  ];
}

const notAggregated: Behaviors = ["-aggregates", "-groupedAggregates"];
const notListed: Behaviors = ["-connection", "-query:resource:connection"];

const uniqueBehaviors = (
  { isPrimary }: PgResourceUnique,
  exposure: Exposure | undefined,
): Behaviors => (isPrimary && exposure?.isListed !== false ? ["single"] : ["-single"]);

function columnBehaviors(column: string, codec: PgCodec): Behaviors {
  const exposure = exposureOf(codec);
  if (!exposure) return ["-*"];
  const { shows, filters } = exposure;
  if (exposure.isListed === false)
    return [column in shows.properties ? "select" : "-select", "-filterBy", "-orderBy"];
  const sortedBy = listOf(codec.extensions?.pg?.name)?.order?.column; // an index has it
  const isFilter = column in filters.properties;
  return [
    column in shows.properties ? "select" : "-select",
    isFilter ? "filterBy" : "-filterBy",
    isFilter || column === "id" ? "aggregate" : "-aggregate",
    column === sortedBy || column === "id" ? "orderBy" : "-orderBy",
  ];
}
