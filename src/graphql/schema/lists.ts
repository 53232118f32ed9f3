import { PgSelectStep, TYPES } from "postgraphile/@dataplan/pg";
import { ConnectionStep } from "postgraphile/grafast";
import { sql } from "postgraphile/pg-sql2";
import { addPgTableCondition } from "postgraphile/utils";
import { limit } from "../../contract/fields.ts";
import { listOf } from "../../contract/routes.ts";
import { camelCase } from "./mutations.ts";
import { tables } from "./tables.ts";

/** Without arguments, a list has the length and the order that it has in REST. */
export const ListDefaultsPlugin: GraphileConfig.Plugin = {
  name: "ParkingListDefaultsPlugin",
  after: ["PgFirstLastBeforeAfterArgsPlugin", "PgConnectionArgOrderByDefaultValuePlugin"],
  schema: {
    hooks: {
      GraphQLObjectType_fields_field_args_arg(arg, build, { scope }) {
        const { argName, isPgFieldConnection, pgFieldResource } = scope;
        if (!isPgFieldConnection || !pgFieldResource) return arg;
        if (argName === "offset") {
          // The usual text speaks of `last`, which lists do not have.
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
          const names = [`${order.column}_${order.direction}`.toUpperCase(), "ID_ASC"];
          return { ...arg, defaultValue: names.map((name) => orders.getValue(name)?.value) };
        }
        return arg;
      },
    },
  },
};

/**
 * Reads the rows that belong to other rows with a statement of their own, once for each other row.
 * As part of the statement around it, PostgreSQL would read them again for every row there: the
 * claims of one person, say, once for each of 200 claims by that person.
 */
export const NestedListsPlugin: GraphileConfig.Plugin = {
  name: "ParkingNestedListsPlugin",
  schema: {
    hooks: {
      GraphQLObjectType_fields_field(field, _build, { scope }) {
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

export const FilterPlugins: readonly GraphileConfig.Plugin[] = Object.entries(tables).flatMap(
  ([tableName, { filters }]) =>
    Object.entries(listOf(tableName)?.filters ?? {}).map(([name, comparisons]) => {
      const isTime = filters.properties[name]?.format !== undefined;
      return addPgTableCondition(
        { schemaName: "parking", tableName },
        camelCase(name),
        (build) => {
          const type = build.getInputTypeByName(isTime ? "Datetime" : "String");
          return { type, description: filters.properties[name]?.description };
        },
        (value, { sqlTableAlias, sqlValueWithCodec }) => {
          // PostgreSQL would read a date in the time zone of the session, and refuse some offsets.
          const given = isTime && typeof value === "string" ? new Date(value).toISOString() : value;
          const sqlValue = sqlValueWithCodec(given, isTime ? TYPES.timestamptz : TYPES.text);
          const conditions = comparisons.map(({ column, is }) => {
            const texts = is.split("$");
            // A template as a literal would make it: sql.raw prints a warning.
            const template = Object.assign(texts, { raw: texts });
            const condition = sql(template, ...texts.slice(1).map(() => sqlValue));
            return sql`${sqlTableAlias}.${sql.identifier(column)} ${condition}`;
          });
          return sql`(${sql.join(conditions, " and ")})`;
        },
      );
    }),
);
