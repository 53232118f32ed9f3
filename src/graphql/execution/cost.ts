import {
  type FieldNode,
  type GraphQLField,
  getNamedType,
  OperationTypeNode,
  valueFromASTUntyped,
} from "graphql";
import { limit, offset } from "../../contract/fields.ts";
import { Problem } from "../../errors/problem.ts";
import { MOST_GROUPS } from "../schema/aggregates.ts";

/** The price of a field, without the fields below it. The unit is a short value. */
export interface Price {
  /** It is charged once, however long the list around the field is. */
  readonly once: number;
  /** It is charged for each item of the list around the field. */
  readonly perItem: number;
  /** The number of items of the field for each item around it. */
  readonly items: number;
  /** For a connection, the length of its page. */
  readonly page: number;
}

const VALUE = 1;
/** This number of bytes in the answer costs as much as one value: 20,000 values are 1 MB. */
const BYTES_OF_A_VALUE = 50;
/** Planning a field with fields below it takes about a millisecond, and a value much less. */
const PLAN = 50;
const PLAN_OF_A_VALUE = 3;
/** A statement that finds the rows of another row by an index. */
const STATEMENT = 10;
/** A statement that may read all of a table. */
const STATEMENT_ABOUT_ALL = 800;
/** A list sorts or reads the items that it skips. */
const SKIPPED_ITEM = 2;
/** Sorting all of a table takes eight times as long as counting it. */
const MOST_SKIPPED = 8 * STATEMENT_ABOUT_ALL;
const ROW_AT_ROOT = 200;
/** A mutation and the row that it returns cost as much as a request to REST. */
const MUTATION = 1500;
const INTROSPECTION = 1000;

/** About how many bytes a value adds to the answer, without its name. Texts have up to 200. */
const bytesOfTypes: Readonly<Record<string, number>> = { String: 200, ID: 120, Cursor: 150 };
const BYTES_OF_A_TYPE = 45;
/** About how many bytes a name or a flag of introspection adds. */
const BYTES_OF_INTROSPECTION = 20;

const groupsOfColumns: ReadonlyMap<unknown, number> = new Map([
  ["IS_CLAIMED", 2],
  ["IS_VERIFIED", 2],
  ["STATUS", 3],
]);
const USUAL_GROUPS = 50;

/** Orders and groupings need no more items. */
const MOST_ITEMS = 10;

export type Variables = Readonly<Record<string, unknown>>;
type Definition = GraphQLField<unknown, unknown> | undefined;

const free: Price = { once: 0, perItem: 0, items: 1, page: 1 };

/** The cost of planning a field. */
export const planningCostOf = ({ selectionSet }: FieldNode): number =>
  selectionSet ? PLAN : PLAN_OF_A_VALUE;

/** @param items the length of the list, or 1 if the field is not a list */
export const priceOfIntrospection = (field: FieldNode, items: number): Price => ({
  ...free,
  perItem: priceOfBytes(field, BYTES_OF_INTROSPECTION),
  items,
});

/**
 * @param rootOf is set if the field is one with which an operation begins
 * @param page the length of the page of the connection around it
 * @throws Problem 400 for an argument that asks for too much
 */
export function priceOf(
  field: FieldNode,
  definition: Definition,
  variables: Variables,
  rootOf: OperationTypeNode | undefined,
  page: number,
): Price {
  const { length, skipped, groupBy } = readArguments(field, definition, variables);
  if (length !== undefined) {
    const all = rootOf ? STATEMENT_ABOUT_ALL : 0;
    const once = all + Math.min(skipped * SKIPPED_ITEM, MOST_SKIPPED);
    // An empty list is planned like a full one, and its statement may read as much.
    return { ...free, once, perItem: STATEMENT, page: Math.max(length, 1) };
  }
  const name = field.name.value;
  switch (name) {
    case "nodes":
    case "edges":
      return { ...free, perItem: VALUE * page, items: page };
    case "totalCount":
    case "aggregates":
    case "groupedAggregates": {
      const once = STATEMENT_ABOUT_ALL * Math.max(groupBy.length, 1);
      const groups = groupBy.map((column) => groupsOfColumns.get(column) ?? USUAL_GROUPS);
      const items = Math.min(
        groups.reduce((a, b) => a * b, 1),
        MOST_GROUPS,
      );
      return { ...free, once, perItem: STATEMENT, items };
    }
    case "distinctCount": // sorts the rows
      return { ...free, once: STATEMENT_ABOUT_ALL };
  }
  if (rootOf && name !== "__typename") {
    const row = name.startsWith("__") ? INTROSPECTION : ROW_AT_ROOT;
    return { ...free, perItem: rootOf === OperationTypeNode.MUTATION ? MUTATION : row };
  }
  const type = definition && getNamedType(definition.type).name;
  return { ...free, perItem: priceOfBytes(field, bytesOfTypes[type ?? ""] ?? BYTES_OF_A_TYPE) };
}

/** About how many bytes the field adds to the answer, without the fields below it. */
const priceOfBytes = ({ alias, name }: FieldNode, bytes: number): number =>
  ((alias ?? name).value.length + bytes) / BYTES_OF_A_VALUE;

/**
 * Reads the arguments that make a field cost more: the length of a list, the items that it skips,
 * and the columns of its groups.
 * @throws Problem 400 if an argument is too large
 */
function readArguments(field: FieldNode, definition: Definition, variables: Variables) {
  const values: Record<string, unknown> = {};
  for (const { name, value } of field.arguments ?? []) {
    const read: unknown = valueFromASTUntyped(value, variables);
    if (Array.isArray(read)) refuseOver(read.length, MOST_ITEMS, name.value, "items");
    if (read !== undefined) values[name.value] = read;
  }
  const isList = definition?.args.some(({ name }) => name === "first");
  const { first = limit.default, offset: after = offset.default, groupBy = [] } = values;
  return {
    length: isList ? inRange("first", first, limit.maximum) : undefined,
    skipped: isList ? inRange("offset", after, offset.maximum) : 0,
    // GraphQL accepts a single value as a list of one.
    groupBy: [groupBy].flat(),
  };
}

function inRange(name: string, value: unknown, maximum: number): number {
  if (typeof value === "number" && value >= 0 && value <= maximum) return value;
  throw new Problem("invalid_document", {
    message: `${name} must be a number from 0 to ${maximum}`,
  });
}

/** @throws Problem document_too_large */
export function refuseOver(count: number, most: number, what: string, of: string): void {
  if (count <= most) return;
  throw new Problem("document_too_large", {
    message: `${what} must not have more than ${most} ${of}`,
  });
}
