import { GraphQLError, Kind, type ValueNode } from "graphql";
import { TYPES } from "postgraphile/@dataplan/pg";
import { isDateOrDateTime, isUuid } from "../../formats.ts";

/** Reads a scalar that a client wrote, in a variable or in the document. */
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
    "A time in UTC, such as 2027-01-01T10:00:00.000Z. Other offsets are accepted; in a condition also a date, which means its midnight in UTC.",
};

const uuid = reader(isUuid, "must be a UUID");

/**
 * Uses the formats of REST for input and output. PostgreSQL alone would also accept "now", and
 * would write microseconds.
 */
export const ScalarsPlugin: GraphileConfig.Plugin = {
  name: "ParkingScalarsPlugin",
  gather: {
    hooks: {
      // PostGraphile has no codec for them, and no field needs one.
      pgCodecs_findPgCodec(_info, event) {
        if (event.pgType.typname === "tstzmultirange") event.pgCodec ??= TYPES.text;
      },
    },
  },
  schema: {
    hooks: {
      GraphQLScalarType(config) {
        if (config.name === "Datetime") return { ...config, ...time };
        return config.name === "UUID" ? { ...config, ...uuid } : config;
      },
    },
  },
};
