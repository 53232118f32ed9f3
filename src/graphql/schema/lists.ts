import {
  type PgCondition,
  PgSelectSingleStep,
  PgSelectStep,
  sqlValueWithCodec,
  TYPES,
} from "postgraphile/@dataplan/pg";
import { ConnectionStep, context, lambda } from "postgraphile/grafast";
import { type SQL, sql } from "postgraphile/pg-sql2";
import { addPgTableCondition } from "postgraphile/utils";
import { limit } from "../../contract/fields.ts";
import { listOf } from "../../contract/routes.ts";
import { Nothing } from "../../contract/schemas.ts";
import { camelCase } from "./mutations.ts";
import { tables } from "./tables.ts";

/** Changes what PostGraphile makes by default. */
export const ListsPlugin: GraphileConfig.Plugin = {
  name: "ParkingListsPlugin",
  after: ["PgFirstLastBeforeAfterArgsPlugin", "PgConnectionArgOrderByDefaultValuePlugin"],
  schema: {
    hooks: {
      /** Without arguments, a list has the same length and order as in REST. */
      GraphQLObjectType_fields_field_args_arg(arg, build, { scope }) {
        const { argName, isPgFieldConnection, pgFieldResource } = scope;
        if (!isPgFieldConnection || !pgFieldResource) return arg;
        if (argName === "offset") {
          // The usual text mentions `last`, which lists do not have.
          return {
            ...arg,
            description: "Skip the first `n` values: those after the cursor, where there is one.",
          };
        }
        const { GraphQLInt, GraphQLNonNull, getNamedType, isEnumType } = build.graphql;
        if (argName === "first") {
          return { ...arg, type: new GraphQLNonNull(GraphQLInt), defaultValue: limit.default };
        }
        if (argName === "orderBy") {
          const orders = getNamedType(arg.type);
          if (!isEnumType(orders)) throw new Error(`${String(orders)} is not an enum`);
          const order = listOf(pgFieldResource.codec.extensions?.pg?.name)?.order;
          if (!order) throw new Error(`the list of ${pgFieldResource.name} has no order`);
          const last = order.isUnique ? [] : ["ID_ASC"];
          const names = [`${order.column}_${order.direction}`.toUpperCase(), ...last];
          return { ...arg, defaultValue: names.map((name) => orders.getValue(name)?.value) };
        }
        return arg;
      },

      /**
       * Reads the rows that belong to another row with a statement of their own, once for each such
       * row. As part of the outer statement, PostgreSQL would read them again for every row: for
       * example, the claims of one person once for each of that person's 200 claims.
       */
      GraphQLObjectType_fields_field(given, _build, { scope }) {
        // The usual text of aggregates mentions arguments that lists do not have.
        const all = "before/after/first/last/offset";
        const description = given.description?.replace(all, "after/first/offset");
        const field = description === undefined ? given : { ...given, description };
        const { isPgFieldConnection, pgRelationDetails } = scope;
        const { plan } = field;
        if (!isPgFieldConnection || !pgRelationDetails || !plan) return field;
        return {
          ...field,
          plan: ($source, args, info) => {
            const $connection = plan($source, args, info);
            if (!($connection instanceof ConnectionStep)) throw new Error("not a connection");
            const $rows = $connection.getSubplan();
            if (!($rows instanceof PgSelectStep)) throw new Error("not a list of rows");
            $rows.setInliningForbidden();
            return $connection;
          },
        };
      },
    },
  },
};

/**
 * A retired spot (private.retire_spot) is in no list, and cannot be found by its id. Claims
 * and windows of the past lead to it.
 */
export const RetiredSpotsPlugin: GraphileConfig.Plugin = {
  name: "ParkingRetiredSpotsPlugin",
  after: ["PgTableNodePlugin"],
  schema: {
    hooks: {
      GraphQLObjectType_fields_field(field, _build, { scope }) {
        const { pgFieldResource, isPgFieldConnection, isPgRowByUniqueConstraintField } = scope;
        const { plan } = field;
        if (pgFieldResource?.codec.extensions?.pg?.name !== "spots" || !plan) return field;
        if (!isPgFieldConnection && !isPgRowByUniqueConstraintField) return field;
        return { ...field, plan: (...args) => withoutRetired(plan(...args)) };
      },

      /** Nor can it be found by its nodeId. */
      init(_, build) {
        const handler = build.getNodeIdHandler?.("Spot");
        if (!handler) throw new Error("spots have no nodeId");
        const { get } = handler;
        handler.get = (spec) => withoutRetired(get(spec));
        return _;
      },
    },
  },
};

function withoutRetired<Found>($found: Found): Found {
  const $rows =
    $found instanceof ConnectionStep
      ? $found.getSubplan()
      : $found instanceof PgSelectSingleStep && $found.getClassStep();
  if (!($rows instanceof PgSelectStep)) throw new Error("not rows of spots");
  $rows.where(sql`${$rows.alias}.retired_at is null`);
  return $found;
}

/**
 * Adds the condition of the policies to every select of claims, in a form for which the planner
 * uses the indexes, as list_claims.sql does for REST. With only the policies it uses none, because
 * their branch for administrators does not depend on the row. With 200,000 claims, a resident's
 * list takes 2 ms instead of 50 ms.
 */
export const ClaimsByPartyPlugin: GraphileConfig.Plugin = {
  name: "ParkingClaimsByPartyPlugin",
  gather: {
    hooks: {
      pgTables_PgResourceOptions(_info, { pgClass, resourceOptions }) {
        if (pgClass.getNamespace()?.nspname !== "parking" || pgClass.relname !== "claims") return;
        resourceOptions.selectAuth = ($select) => {
          // It is a part of the text, not a value, because a plan for both would use no index
          // either.
          const isAdministrator = $select.deferredSQL(
            lambda(context().get("isAdministrator"), literalOf),
          );
          const { alias } = $select;
          $select.where(
            sql`(${isAdministrator} or ${alias}.claimer_id = ${caller} or ${alias}.owner_id = ${caller})`,
          );
        };
      },
    },
  },
};

const caller = sql`(select private.caller_id())`;

const literalOf = async (isAdministrator: () => Promise<boolean>) =>
  (await isAdministrator()) ? sql.true : sql.false;

/** The values of the filters of one condition, as far as it is made. */
const valuesOf = new WeakMap<PgCondition, ReadonlyMap<string, SQL>>();

export const FilterPlugins: readonly GraphileConfig.Plugin[] = Object.entries(tables).flatMap(
  ([tableName, { filters = Nothing }]) =>
    Object.entries(listOf(tableName)?.filters ?? {}).map(([name, comparisons]) => {
      const isTime = filters.properties[name]?.format !== undefined;
      const match = { schemaName: "parking", tableName };
      return addPgTableCondition(match, camelCase(name), (build) => ({
        type: build.getInputTypeByName(isTime ? "Datetime" : "String"),
        description: filters.properties[name]?.description,
        apply(all: PgCondition, value: unknown) {
          // PostgreSQL would read a date in the time zone of the session, and refuse some offsets.
          const given = isTime && typeof value === "string" ? new Date(value).toISOString() : value;
          const own = sqlValueWithCodec(given, isTime ? TYPES.timestamptz : TYPES.text);
          const values = new Map([...(valuesOf.get(all) ?? []), ["", own], [name, own]]);
          valuesOf.set(all, values);
          for (const { column, is } of comparisons) {
            // Every second piece names a filter. One that comes later is null here: it sees this one.
            const pieces = is.split(/\$(\w*)/);
            const texts = pieces.filter((_, index) => index % 2 === 0);
            const names = pieces.filter((_, index) => index % 2 === 1);
            // It has the form of a template literal, because sql.raw prints a warning.
            const template = Object.assign(texts, { raw: texts });
            const condition = sql(template, ...names.map((it) => values.get(it) ?? sql.null));
            all.where(sql`(${all.alias}.${sql.identifier(column)} ${condition})`);
          }
        },
      }));
    }),
);
