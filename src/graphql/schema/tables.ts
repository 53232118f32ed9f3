import type { PgCodec, PgResourceUnique } from "postgraphile/@dataplan/pg";
import { Availability, AvailabilityFilter } from "../../contract/availabilities.ts";
import { Building } from "../../contract/building.ts";
import { Claim, ClaimFilter } from "../../contract/claims.ts";
import { Notification, NotificationFilter } from "../../contract/notifications.ts";
import { Contact, Profile, ProfileFilter } from "../../contract/profiles.ts";
import type { Requirement } from "../../contract/route.ts";
import { listOf } from "../../contract/routes.ts";
import type { ObjectSchema, ResourceSchema } from "../../contract/schemas.ts";
import { Spot, SpotFilter } from "../../contract/spots.ts";

/** What GraphQL shows of one table. */
export interface Exposure {
  /** The name of its row type. */
  readonly type: string;
  /** What reading one row of it requires, and a list of rows; where it is not `approved`. */
  readonly requires?: { readonly row: Requirement; readonly list: Requirement };
  /** Its columns are the fields of the REST resource; GraphQL has no others. */
  readonly shows: ResourceSchema;
  /**
   * The filters of the REST list are its conditions. Where there are none it has no lists, and no
   * field that finds a row by its key: other fields lead to its rows.
   */
  readonly filters?: ObjectSchema;
  /** Sums over its rows are of use. */
  readonly isAggregated?: true;
}

/** All that GraphQL shows: the tables that are meant for people. GraphQL has no others. */
export const tables: Readonly<Record<string, Exposure>> = {
  profiles: {
    type: "Profile",
    // The one profile that a resident sees is their own; it is shown before approval too.
    requires: { row: "none", list: "administrator" },
    shows: Profile,
    filters: ProfileFilter,
  },
  building: { type: "Building", shows: Building },
  contacts: { type: "Contact", shows: Contact },
  spots: { type: "Spot", shows: Spot, filters: SpotFilter, isAggregated: true },
  availabilities: {
    type: "Availability",
    shows: Availability,
    filters: AvailabilityFilter,
    isAggregated: true,
  },
  claims: { type: "Claim", shows: Claim, filters: ClaimFilter, isAggregated: true },
  notifications: { type: "Notification", shows: Notification, filters: NotificationFilter },
};

/** GraphQL has only what is named above, and only mutations.ts writes. */
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

/** The entry above for a row type; undefined for any other type. */
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
  const isFilter = column in filters.properties;
  const sortedBy = listOf(codec.extensions?.pg?.name)?.order?.column; // an index has it
  return [
    select,
    isFilter ? "filterBy" : "-filterBy",
    isFilter || column === "id" ? "aggregate" : "-aggregate",
    column === sortedBy || column === "id" ? "orderBy" : "-orderBy",
  ];
}
