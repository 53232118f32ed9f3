import {
  type FieldNode,
  type GraphQLField,
  type OperationDefinitionNode,
  valueFromASTUntyped,
} from "graphql";
import { Problem } from "../../errors/problem.ts";
import { limit, offset } from "../../rest/fields.ts";

export type Variables = Readonly<Record<string, unknown>>;

/** Orders and groupings need no more. */
const MOST_ITEMS = 10;

/** What the arguments of a field ask for. */
export interface Asked {
  /** The number of items of a list; undefined for a field that is not a list. */
  readonly first: number | undefined;
  /** The number of items that a list skips. */
  readonly offset: number;
  /** The columns that groups are made by. */
  readonly groupBy: readonly unknown[];
}

/** The values of the variables, with the defaults of the operation. */
export function withDefaults(given: Variables, operation: OperationDefinitionNode): Variables {
  const defaults = (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
  );
  return { ...Object.fromEntries(defaults), ...given };
}

/**
 * Reads the arguments that make a field cost more, and limits them. The values of variables are
 * known here.
 *
 * @throws Problem 400
 */
export function askedOf(
  field: FieldNode,
  definition: GraphQLField<unknown, unknown> | undefined,
  variables: Variables,
): Asked {
  const values = new Map<string, unknown>();
  for (const { name, value } of field.arguments ?? []) {
    const read: unknown = valueFromASTUntyped(value, variables);
    if (Array.isArray(read) && read.length > MOST_ITEMS) {
      throw new Problem("document_too_large", {
        message: `${name.value} must not have more than ${MOST_ITEMS} items`,
      });
    }
    if (read !== undefined) values.set(name.value, read);
  }
  return { ...pageOf(values, definition), groupBy: listOf(values.get("groupBy")) };
}

function pageOf(
  values: ReadonlyMap<string, unknown>,
  definition: GraphQLField<unknown, unknown> | undefined,
): Pick<Asked, "first" | "offset"> {
  const first = definition?.args.find(({ name }) => name === "first");
  if (!first) return { first: undefined, offset: 0 };
  const given = (name: string, usual: unknown): unknown =>
    values.has(name) ? values.get(name) : usual;
  return {
    first: within("first", given("first", first.defaultValue), limit.maximum),
    offset: within("offset", given("offset", offset.default), offset.maximum),
  };
}

/** GraphQL takes a single value for a list of one. */
const listOf = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

function within(name: string, value: unknown, maximum: number): number {
  if (typeof value === "number" && value >= 0 && value <= maximum) return value;
  throw new Problem("invalid_document", {
    message: `${name} must be a number from 0 to ${maximum}`,
  });
}
