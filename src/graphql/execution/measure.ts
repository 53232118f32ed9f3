import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  getNamedType,
  introspectionFromSchema,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  OperationTypeNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from "graphql";
import { Problem } from "../../errors/problem.ts";
import {
  planningCostOf,
  priceOf,
  priceOfIntrospection,
  refuseOver,
  type Variables,
} from "./cost.ts";

/** What an operation asks for, with its fragments expanded. The unit of cost is a short value. */
export interface Measure {
  readonly cost: number;
  /** The part of the cost that is planning. A plan that takes longer to make is also larger. */
  readonly plans: number;
  /** The number of changes. Each is a request in REST. */
  readonly mutations: number;
  /** The names of the types whose fields it reads. */
  readonly types: ReadonlySet<string>;
}

/** The size of a document so far. Validation checks all its operations. */
export interface Size {
  /** The number of fields, fragments and directives, each counted once, also those in lists. */
  fields: number;
  /** The number of fields that have fields below them. Each takes some time to plan. */
  branches: number;
}

export type MeasureOperation = (
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
  size: Size,
) => Measure;

const MOST_COST = 20_000;
const MOST_FIELDS = 500;
const MOST_BRANCHES = 60;
const MOST_DEPTH = 16; // 13 is what tools need to read the schema
/** The cost of a document that is charged like one request to REST. */
const COST_OF_A_POINT = 2000;

/** What the rate limits charge for an operation: for a change at least as much as REST. */
export const pointsOf = ({ cost, mutations }: Measure): number =>
  Math.max(1, mutations, Math.ceil(cost / COST_OF_A_POINT));

/** Where a selection stands. This decides how often it is planned, found and sent. */
interface Position {
  readonly type: GraphQLCompositeType | undefined;
  readonly depth: number;
  /** It is planned once for each type of the rows around it. Introspection is not planned. */
  readonly plans: number;
  /** The number of items in the lists around it. */
  readonly items: number;
  /** For the fields of a connection, the length of its page. */
  readonly page: number;
  /** For introspection: whether it reads every type of the schema, each once. */
  readonly isOfEveryType: boolean;
}

/**
 * Returns the function that measures an operation before anything else reads it: validation and
 * planning take longer the larger it is with its fragments expanded. Measuring stops when the
 * operation is too large. The document need not be valid. The function throws a Problem 400 for an
 * operation or an argument that is too large.
 */
export function measurer(schema: GraphQLSchema): MeasureOperation {
  const lengths = lengthsOfLists(schema);

  return (document, operation, variables, size) => {
    const root = schema.getRootType(operation.operation);
    const fragments = fragmentsIn(document);
    const types = new Set<string>();
    let cost = 0;
    let plans = 0;
    let mutations = 0;

    function visitAll({ selections }: SelectionSetNode, position: Position): void {
      if (position.type) types.add(position.type.name);
      for (const selection of selections) {
        size.fields += 1 + (selection.directives?.length ?? 0);
        refuseOver(size.fields, MOST_FIELDS, "The document", "fields");
        if (selection.kind === Kind.FIELD) visit(selection, position);
        else if (selection.kind === Kind.INLINE_FRAGMENT) {
          const { typeCondition, selectionSet } = selection;
          visitAll(selectionSet, typeCondition ? at(position, typeCondition) : position);
        } else {
          const fragment = fragments.get(selection.name.value);
          if (!fragment) continue; // validation refuses it
          visitAll(fragment.selectionSet, at(position, fragment.typeCondition));
        }
      }
    }

    function visit(field: FieldNode, position: Position): void {
      const { type: parent } = position;
      const name = field.name.value;
      const definition = definitionOf(name, parent);
      const type = definition && getNamedType(definition.type);
      const isIntrospection = parent?.name.startsWith("__") ?? false;
      const isBranch = field.selectionSet !== undefined && !isIntrospection;
      const depth = position.depth + 1;
      size.branches += isBranch ? 1 : 0;
      refuseOver(size.branches, MOST_BRANCHES, "The document", "rows and lists");
      refuseOver(depth, MOST_DEPTH, "The document", "levels of fields");

      const rootOf = parent && parent === root ? operation.operation : undefined;
      if (rootOf === OperationTypeNode.MUTATION) mutations += 1;
      const { isOfEveryType } = position;
      const price = isIntrospection
        ? priceOfIntrospection(field, lengths(name, isOfEveryType))
        : priceOf(field, definition, variables, rootOf, position.page);
      cost += price.once + price.perItem * position.items;

      const types = isInterfaceType(type) ? schema.getPossibleTypes(type).length : 1;
      const planned = isIntrospection ? 0 : position.plans * types;
      plans += planned * planningCostOf(field);
      if (field.selectionSet) {
        visitAll(field.selectionSet, {
          type: isCompositeType(type) ? type : undefined,
          depth,
          plans: planned,
          items: position.items * price.items,
          page: price.page,
          isOfEveryType: name === "types" || (isOfEveryType && partsOfAType.has(name)),
        });
      }
    }

    const at = (position: Position, { name }: NamedTypeNode): Position => {
      const type = schema.getType(name.value);
      return { ...position, type: isCompositeType(type) ? type : undefined };
    };

    const top = { type: root ?? undefined, depth: 0, plans: 1, items: 1, page: 1 };
    visitAll(operation.selectionSet, { ...top, isOfEveryType: false });
    return { cost: cost + plans, plans, mutations, types };
  };
}

/** @throws Problem 400 */
export function refuseCost({ cost }: Measure): void {
  if (cost <= MOST_COST) return;
  throw new Problem("document_too_large", {
    message: "The document asks for too much; ask for shorter lists, fewer fields or shorter names",
  });
}

/** The fields that lead to introspection belong to no type. */
function definitionOf(name: string, parent: Position["type"]) {
  if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
  if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  const hasFields = isObjectType(parent) || isInterfaceType(parent);
  return hasFields ? parent.getFields()[name] : undefined;
}

const fragmentsIn = ({ definitions }: DocumentNode) =>
  new Map(
    definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((definition) => [definition.name.value, definition]),
  );

/** These lists of introspection belong to one type, and lead to no other type. */
const partsOfAType = new Set(["fields", "args", "inputFields", "enumValues"]);

/**
 * The number of items of a list in which the schema describes itself; 1 for a field that is not a
 * list. If an operation reads every type once, as tools do, the average length is exact. Otherwise
 * it can read the longest list again and again.
 */
function lengthsOfLists(schema: GraphQLSchema) {
  const lengths = new Map<string, number[]>();
  JSON.stringify(introspectionFromSchema(schema), (name, value) => {
    // If a type has no such list, the value is null.
    if (value !== null && !Array.isArray(value)) return value;
    const all = lengths.get(name) ?? [];
    lengths.set(name, all);
    all.push(value?.length ?? 0);
    return value;
  });
  return (name: string, isOfEveryType: boolean): number => {
    const all = lengths.get(name) ?? [1];
    const sum = all.reduce((a, b) => a + b, 0);
    return (isOfEveryType ? sum / all.length : Math.max(...all)) || 1;
  };
}
