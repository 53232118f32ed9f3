import { GraphQLError, Kind, type ValueNode } from "graphql";
import { isDateOrDateTime, isUuid } from "../../formats.ts";

/** What a client may write for a scalar, as a variable or in the document itself. */
function reader(isWellFormed: (text: string) => boolean, complaint: string) {
  const parseValue = (value: unknown): string => {
    if (typeof value === "string" && isWellFormed(value)) return value;
    throw new GraphQLError(complaint);
  };
  const parseLiteral = (node: ValueNode): string =>
    parseValue(node.kind === Kind.STRING ? node.value : undefined);
  return { parseValue, parseLiteral };
}

const time = {
  ...reader(isDateOrDateTime, "must be a date such as 2027-01-01, or a time with an offset"),
  serialize: (value: unknown) => new Date(String(value)).toISOString(),
  description:
    "A time in UTC, such as 2027-01-01T10:00:00.000Z. Other offsets are understood too; in a condition also a date, which is its midnight in UTC.",
};

const uuid = reader(isUuid, "must be a UUID");

/** Values come and go as in REST: PostgreSQL would read "now" as well, and writes microseconds. */
export const ScalarsPlugin: GraphileConfig.Plugin = {
  name: "ParkingScalarsPlugin",
  schema: {
    hooks: {
      GraphQLScalarType(config) {
        if (config.name === "Datetime") return { ...config, ...time };
        return config.name === "UUID" ? { ...config, ...uuid } : config;
      },
    },
  },
};
