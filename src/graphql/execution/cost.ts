import {
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type OperationDefinitionNode,
  OperationTypeNode,
  valueFromASTUntyped,
} from "graphql";
import { limit, offset } from "../../contract/fields.ts";
import { Problem } from "../../errors/problem.ts";
import { MOST_GROUPS } from "../schema/aggregates.ts";
import type { Variables } from "./request.ts";

/** What an operation costs. The unit is a short value; all numbers may be infinite. */
export interface Cost {
  /** Planning. A list around a field does not repeat it. */
  readonly plans: number;
  /** Statements that may read all of a table. A list around them does not repeat them either. */
  readonly statements: number;
  /** The number of changes, each of which is a request in REST. */
  readonly mutations: number;
  /** What is found and sent once for each item of the list around it. */
  readonly once: number;
  /** Of the fields of a connection: once more for each item of its list. */
  readonly perItem: number;
}

export const NO_COST: Cost = { plans: 0, statements: 0, mutations: 0, once: 0, perItem: 0 };

export const sumOfCosts = (a: Cost, b: Cost): Cost => ({
  plans: a.plans + b.plans,
  statements: a.statements + b.statements,
  mutations: a.mutations + b.mutations,
  once: a.once + b.once,
  perItem: a.perItem + b.perItem,
});

/** The cost of a document that is charged like one request to REST. */
const COST_OF_A_POINT = 2000;

/** What the rate limits charge for an operation: for a change at least as much as REST. */
export const pointsOf = (cost: number, mutations: number): number =>
  Math.max(1, mutations, Math.ceil(cost / COST_OF_A_POINT));

const VALUE = 1;
/** So much of the answer is charged as one value: 20,000 of them are 1 MB. */
const BYTES_OF_A_VALUE = 50;
/** A field with fields below it takes about a millisecond to plan, and a value much less. */
const PLAN = 50;
const PLAN_OF_A_VALUE = 3;
/** A statement that finds the rows of another row by an index. */
const STATEMENT = 10;
/** A statement that may read all of a table. */
const STATEMENT_ABOUT_ALL = 800;
/** A list sorts or reads what it skips. */
const SKIPPED_ITEM = 2;
/** Sorting all of a table takes eight times as long as counting it. */
const MOST_SKIPPED = 8 * STATEMENT_ABOUT_ALL;
const ROW_AT_ROOT = 200;
/** With the row that it returns, as much as a whole request to REST. */
const MUTATION = 1500;
const INTROSPECTION = 1000;

export interface Field {
  readonly name: string;
  /** Where it is one of the fields that an operation begins with. */
  readonly rootOf: OperationTypeNode | undefined;
  /** Whether it has fields below it. */
  readonly isBranch: boolean;
  /** The number of types that it may have, for each of which it is planned; 0 for introspection. */
  readonly types: number;
  /** About how many bytes the field adds to the answer, without the fields below it. */
  readonly bytes: number;
  /** Of a list with pages, the number of items that the operation asks for. */
  readonly first: number | undefined;
  /** Of such a list, the number of items that it skips. */
  readonly offset: number;
  /** Of a list without pages, its usual number of items. */
  readonly items: number;
  /** The number of columns that groups are made by. */
  readonly groupings: number;
}

/** @param inner the cost of the fields below the field */
export function costOf(field: Field, inner: Cost): Cost {
  const { name, rootOf, first, offset, items, groupings } = field;
  const plans = field.types * (inner.plans + (field.isBranch ? PLAN : PLAN_OF_A_VALUE));
  const { statements } = inner;
  const mutations = inner.mutations + (rootOf === OperationTypeNode.MUTATION ? 1 : 0);
  if (first !== undefined) {
    // An empty list is planned like a full one, and its statement may read as much.
    const once = STATEMENT + inner.once + Math.max(first, 1) * inner.perItem;
    const own = (rootOf ? STATEMENT_ABOUT_ALL : 0) + Math.min(offset * SKIPPED_ITEM, MOST_SKIPPED);
    return { plans, statements: statements + own, mutations, once, perItem: 0 };
  }
  switch (name) {
    case "nodes":
    case "edges":
      return { plans, statements, mutations, once: 0, perItem: VALUE + inner.once };
    case "totalCount":
    case "aggregates":
    case "groupedAggregates":
      return {
        plans,
        statements: statements + STATEMENT_ABOUT_ALL * Math.max(groupings, 1),
        mutations,
        once: STATEMENT + items * inner.once,
        perItem: 0,
      };
    case "distinctCount": // sorts the rows
      return {
        plans,
        statements: statements + STATEMENT_ABOUT_ALL,
        mutations,
        once: inner.once,
        perItem: 0,
      };
    default:
      return {
        plans,
        statements,
        mutations,
        once: ownCost(field) + items * inner.once,
        perItem: 0,
      };
  }
}

function ownCost({ name, rootOf, bytes }: Field): number {
  const value = bytes / BYTES_OF_A_VALUE;
  if (!rootOf || name === "__typename") return value;
  if (rootOf === OperationTypeNode.MUTATION) return MUTATION;
  return name.startsWith("__") ? INTROSPECTION : ROW_AT_ROOT;
}

/** About how many bytes a value adds to the answer, without its name. */
export const bytesOf = (type: GraphQLNamedType | undefined): number =>
  LONG.get(type?.name ?? "") ?? 45;

/** Texts have up to 200 characters. */
const LONG: ReadonlyMap<string, number> = new Map([
  ["String", 200],
  ["ID", 120],
  ["Cursor", 150],
]);

/** About the same for the names and flags of introspection. */
export const BYTES_OF_INTROSPECTION = 20;

/** How many groups a list is divided into; 1 for a field that has no groups. */
export function groupsOf(name: string, groupBy: readonly unknown[]): number {
  if (name !== "groupedAggregates") return 1;
  const groups = groupBy.map((column) => FEW_GROUPS.get(column) ?? USUAL_GROUPS);
  return Math.min(
    groups.reduce((a, b) => a * b, 1),
    MOST_GROUPS,
  );
}

const FEW_GROUPS: ReadonlyMap<unknown, number> = new Map([
  ["IS_CLAIMED", 2],
  ["IS_VERIFIED", 2],
  ["STATUS", 3],
]);
const USUAL_GROUPS = 50;

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
