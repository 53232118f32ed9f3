import { PgAggregatesPreset } from "@graphile/pg-aggregates";
import {
  type PgSelectQueryBuilder,
  type PgSelectSingleStep,
  PgSelectStep,
  TYPES,
} from "postgraphile/@dataplan/pg";
import { constant, sideEffect } from "postgraphile/grafast";
import { type SQL, sql } from "postgraphile/pg-sql2";
import { extendSchema, wrapPlans } from "postgraphile/utils";
import { Problem } from "../../errors/problem.ts";

declare global {
  namespace GraphileBuild {
    /** Behaviours that pg-aggregates uses but does not declare. */
    interface BehaviorStrings {
      aggregate: true;
      aggregates: true;
      groupedAggregates: true;
      "resource:groupedAggregates:having": true;
    }
  }
}

/** The expression to group the rows of a query by. */
type Grouping = (query: PgSelectQueryBuilder) => SQL;

const column =
  (name: string): Grouping =>
  ({ alias }) =>
    sql`${alias}.${sql.identifier(name)}`;

const section: Grouping = (query) => {
  const spots = sql.identifier(Symbol("spots"));
  query.join({
    type: "left",
    from: sql`parking.spots`,
    alias: spots,
    conditions: [sql`${spots}.id = ${query.alias}.spot_id`],
  });
  return sql`${spots}.building_section`;
};

const day: Grouping = ({ alias }) =>
  sql`to_char(${alias}.start_time at time zone 'UTC', 'YYYY-MM-DD')`;

/**
 * The columns for grouping aggregates. Columns with a value per row, such as `id`, are left out.
 */
const groupings: Readonly<Record<string, Readonly<Record<string, Grouping>>>> = {
  spots: {
    OWNER_ID: column("owner_id"),
    BUILDING_SECTION: column("building_section"),
    IS_VERIFIED: column("is_verified"),
  },
  availabilities: {
    SPOT_ID: column("spot_id"),
    BUILDING_SECTION: section,
    IS_CLAIMED: column("is_claimed"),
    DAY: day,
  },
  claims: {
    SPOT_ID: column("spot_id"),
    CLAIMER_ID: column("claimer_id"),
    BUILDING_SECTION: section,
    STATUS: column("status"),
    DAY: day,
  },
};

const GroupingsPlugin: GraphileConfig.Plugin = {
  name: "ParkingGroupingsPlugin",
  schema: {
    hooks: {
      GraphQLEnumType_values(values, build, { scope }) {
        const added = scope.isPgAggregateGroupEnum && groupings[scope.pgTypeResource?.name ?? ""];
        if (!added) return values;
        const configs = Object.entries(added).map(([name, grouping]) => {
          const apply = (query: PgSelectQueryBuilder) =>
            query.groupBy({ fragment: sql`${grouping(query)}::text`, codec: TYPES.text });
          return [name, { extensions: { grafast: { apply } } }];
        });
        return build.extend(values, Object.fromEntries(configs), "Adding groupings");
      },
    },
  },
};

/** A list of groups has no pages. A longer list is refused: cut off, its sums would be wrong. */
export const MOST_GROUPS = 200;

const planGroups = (plan: () => unknown) => {
  const $groups = plan();
  if (!($groups instanceof PgSelectStep)) throw new Error("groups are no longer a PgSelectStep");
  $groups.setFirst(constant(MOST_GROUPS + 1));
  sideEffect($groups, ({ items }) => {
    if (!Array.isArray(items) || items.length <= MOST_GROUPS) return;
    throw new Problem("document_too_large", {
      message: `There are more than ${MOST_GROUPS} groups; narrow the condition`,
    });
  });
  return $groups;
};

const limitGroups = { groupedAggregates: planGroups };
const GroupLimitPlugin = wrapPlans({
  SpotConnection: limitGroups,
  AvailabilityConnection: limitGroups,
  ClaimConnection: limitGroups,
});

const count = ($group: PgSelectSingleStep) => $group.select(sql`count(*)::int4`, TYPES.int);

const hours = ($group: PgSelectSingleStep) => {
  const { alias } = $group.getClassStep();
  // Seconds are added up, not intervals: 745 intervals until the year 9999 are too long for one.
  const total = sql`sum(extract(epoch from ${alias}.end_time - ${alias}.start_time)) / 3600`;
  return $group.select(sql`coalesce(${total}, 0)::float8`, TYPES.float);
};

const MeasuresPlugin = extendSchema({
  typeDefs: /* GraphQL */ `
    extend type SpotAggregates {
      count: Int!
    }
    extend type AvailabilityAggregates {
      count: Int!
      "The length of all windows together."
      hours: Float!
    }
    extend type ClaimAggregates {
      count: Int!
      "The length of all claims together."
      hours: Float!
    }
  `,
  objects: {
    SpotAggregates: { plans: { count } },
    AvailabilityAggregates: { plans: { count, hours } },
    ClaimAggregates: { plans: { count, hours } },
  },
});

/** Counts, hours and distinct counts of lists, with or without groups. */
export const aggregatesPreset: GraphileConfig.Preset = {
  extends: [PgAggregatesPreset],
  plugins: [GroupingsPlugin, GroupLimitPlugin, MeasuresPlugin],
  disablePlugins: [
    "PgAggregatesAddGroupByAggregateEnumValuesForAttributesPlugin", // the groupings above replace it
    "PgAggregatesFilterRelationalAggregatesPlugin",
    "PgAggregatesOrderByAggregatesPlugin",
  ],
};
