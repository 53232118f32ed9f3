import type { PgCodec, PgResourceUnique } from "postgraphile/@dataplan/pg";
import { isList, type Requirement, type Route } from "../../contract/route.ts";
import { listOf, routes } from "../../contract/routes.ts";
import { type ObjectSchema, type ResourceSchema, rowOf } from "../../contract/schemas.ts";

/** What GraphQL shows of a table. */
export interface Exposure {
  /** The name of its row type. */
  readonly type: string;
  /** What it requires to read one row, and to read a list of rows. */
  readonly requires: { readonly row: Requirement; readonly list: Requirement };
  /** Its columns are the fields of the REST resource. GraphQL has no other fields. */
  readonly shows: ResourceSchema;
  /**
   * The filters of the REST list become its conditions. If there are none, the table has no lists
   * and no field that finds a row by its key; other fields lead to its rows.
   */
  readonly filters: ObjectSchema | undefined;
  /** Whether sums over its rows are useful. */
  readonly isAggregated: boolean;
}

/** For the table whose rows a route reads. */
function exposureOfRow({ table, answer, requires }: Route): readonly [string, Exposure][] {
  const shows = rowOf(answer);
  if (table === undefined || shows.title === undefined) return [];
  const list = listOf(table);
  const exposure = {
    type: shows.title,
    requires: { row: requires, list: list?.requires ?? requires },
    shows,
    filters: list?.query,
    isAggregated: list?.order !== undefined && !list.personal && !list.order.isUnique,
  };
  return [[table, exposure]];
}

/** Everything that GraphQL shows: the tables whose rows the contract reads. */
export const tables: Readonly<Record<string, Exposure>> = Object.fromEntries(
  routes
    .filter(({ method }) => method === "GET")
    // The last entry of a table counts: the first route that reads one row, which is the
    // residents'.
    .toReversed()
    .toSorted((a, b) => Number(isList(b)) - Number(isList(a)))
    .flatMap(exposureOfRow),
);

/** GraphQL has only the tables above, and only mutations.ts writes. */
export const TablesPlugin: GraphileConfig.Plugin = {
  name: "ParkingTablesPlugin",
  schema: {
    entityBehavior: {
      pgResource: {
        override: {
          provides: ["tables"],
          callback: (behavior, { codec }) => [behavior, ...ofResource(exposureOf(codec))],
        },
      },
      pgCodecAttribute: {
        override: {
          provides: ["tables"],
          callback: (behavior, [codec, column]) => [behavior, ...ofColumn(column, codec)],
        },
      },
      pgCodecRelation: {
        override: {
          provides: ["tables"],
          // Only those that ./names.ts names. Lists already show what a profile would lead to.
          callback: (behavior, { extensions }) => [
            behavior,
            ...when(!extensions?.tags?.fieldName, "-*"),
          ],
        },
      },
      pgResourceUnique: {
        override: {
          provides: ["tables"],
          callback: (behavior, [{ codec }, unique]) => [behavior, ofKey(unique, exposureOf(codec))],
        },
      },
    },
  },
};

type Behavior = GraphileBuild.BehaviorString;

/** The exposure of a row type; undefined for any other type. */
function exposureOf(codec: PgCodec): Exposure | undefined {
  const pg = codec.extensions?.pg;
  return codec.attributes && pg?.schemaName === "parking" ? tables[pg.name] : undefined;
}

function ofResource(exposure: Exposure | undefined): readonly Behavior[] {
  if (!exposure) return ["-*"];
  return [
    "-insert",
    "-update",
    "-delete",
    "-list",
    "-resource:connection:backwards",
    "-resource:groupedAggregates:having",
    ...when(!exposure.isAggregated, "-aggregates", "-groupedAggregates"),
    ...when(!exposure.filters, "-connection", "-query:resource:connection"),
  ];
}

const when = (condition: boolean, ...behaviors: readonly Behavior[]): readonly Behavior[] =>
  condition ? behaviors : [];

/** The other unique constraints exist for foreign keys. */
const ofKey = ({ isPrimary }: PgResourceUnique, exposure: Exposure | undefined): Behavior =>
  isPrimary && exposure?.filters ? "single" : "-single";

function ofColumn(column: string, codec: PgCodec): readonly Behavior[] {
  const exposure = exposureOf(codec);
  if (!exposure) return ["-*"];
  const { shows, filters } = exposure;
  const select = column in shows.properties ? "select" : "-select";
  if (!filters) return [select, "-filterBy", "-orderBy"];
  const list = listOf(codec.extensions?.pg?.name);
  // A filter that compares in another way has a condition of its own (./lists.ts).
  const isFilter = column in filters.properties && !(column in (list?.filters ?? {}));
  const sortedBy = list?.order?.column; // an index has it
  return [
    select,
    isFilter ? "filterBy" : "-filterBy",
    isFilter || column === "id" ? "aggregate" : "-aggregate",
    column === sortedBy || column === "id" ? "orderBy" : "-orderBy",
  ];
}
