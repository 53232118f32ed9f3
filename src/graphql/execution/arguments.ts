import {
  type FieldNode,
  type GraphQLField,
  type OperationDefinitionNode,
  valueFromASTUntyped,
} from "graphql";
import { Problem } from "../../errors/problem.ts";
import { limit, offset } from "../../rest/fields.ts";

export type Variables = Readonly<Record<string, unknown>>;

/** What orders and groupings need at most. */
const MOST_ITEMS = 10;

/** The variables as the operation sees them. */
export function withDefaults(given: Variables, operation: OperationDefinitionNode): Variables {
  const defaults = (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
  );
  return { ...Object.fromEntries(defaults), ...given };
}

/**
 * How many items a list is asked for; undefined for a field that is no list. The values of
 * variables are known here, and all arguments of which more costs more are limited.
 *
 * @throws Problem 400
 */
export function firstOf(
  field: FieldNode,
  definition: GraphQLField<unknown, unknown> | undefined,
  variables: Variables,
): number | undefined {
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
  const first = definition?.args.find(({ name }) => name === "first");
  if (!first) return undefined;
  if (values.has("offset")) within("offset", values.get("offset"), offset.maximum);
  return within(
    "first",
    values.has("first") ? values.get("first") : first.defaultValue,
    limit.maximum,
  );
}

function within(name: string, value: unknown, maximum: number): number {
  if (typeof value === "number" && value >= 0 && value <= maximum) return value;
  throw new Problem("invalid_document", {
    message: `${name} must be a number from 0 to ${maximum}`,
  });
}
