import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from "graphql";
import {
  askedOf,
  BYTES_OF_INTROSPECTION,
  bytesOf,
  type Cost,
  costOf,
  groupsOf,
  NO_COST,
  sumOfCosts,
  withDefaults,
} from "./cost.ts";
import type { Variables } from "./request.ts";

/** What an operation asks for, with its fragments expanded. All numbers may be infinite. */
export interface Shape {
  /** Fields and directives, once each, also those in lists. */
  readonly fields: number;
  /** The fields among them that have fields below them. Each takes a while to plan. */
  readonly branches: number;
  /** How deep they are nested. */
  readonly depth: number;
}

export interface Measure extends Shape {
  /** The part of the cost that is planning; plans are as large as they take long. */
  readonly plans: number;
  readonly cost: number;
  readonly mutations: number;
}

/** What an operation uses. */
export interface Used {
  /** The names of the types whose fields it reads. */
  readonly types: ReadonlySet<string>;
  /** The names of the fragments that it spreads. */
  readonly fragments: ReadonlySet<string>;
}

export type MeasureOperation = (
  operation: OperationDefinitionNode,
  document: DocumentNode,
  variables: Variables,
) => Measure & Used;

interface Size extends Cost, Shape {}

export const NO_SHAPE: Shape = { fields: 0, branches: 0, depth: 0 };
const NOTHING: Size = { ...NO_SHAPE, ...NO_COST };

/** Where a selection stands. */
interface Place {
  readonly type: GraphQLCompositeType | undefined;
  /** Of introspection: whether it reads every type of the schema, once each. */
  readonly isOfEveryType: boolean;
}

/**
 * Makes the function that measures an operation before anything else looks at it: validation and
 * planning take longer the larger it is with its fragments expanded. Measuring does not, because it
 * visits each fragment at most twice. The document need not be valid.
 *
 * The function throws a Problem 400 for an argument that is too large.
 */
export function measurer(schema: GraphQLSchema): MeasureOperation {
  const introspection = introspectionOf(schema);
  return (operation, document, given) => {
    const variables = withDefaults(given, operation);
    return measureWith({ schema, introspection, operation, document, variables });
  };
}

interface Parts {
  readonly schema: GraphQLSchema;
  readonly introspection: Introspection;
  readonly operation: OperationDefinitionNode;
  readonly document: DocumentNode;
  readonly variables: Variables;
}

function measureWith({
  schema,
  introspection,
  operation,
  document,
  variables,
}: Parts): Measure & Used {
  const root = schema.getRootType(operation.operation) ?? undefined;
  const fragments = fragmentsIn(document);
  const known = new Map<string, Size>();
  const types = new Set<string>();
  const spread = new Set<string>();

  function ofSelections({ selections }: SelectionSetNode, place: Place): Size {
    if (place.type) types.add(place.type.name);
    return selections.map((selection) => ofSelection(selection, place)).reduce(sum, NOTHING);
  }

  function ofSelection(selection: SelectionNode, place: Place): Size {
    const directives = { ...NOTHING, fields: selection.directives?.length ?? 0 };
    return sum(directives, ofSelected(selection, place));
  }

  function ofSelected(selection: SelectionNode, place: Place): Size {
    switch (selection.kind) {
      case Kind.FIELD:
        return ofField(selection, place);
      case Kind.FRAGMENT_SPREAD:
        return ofFragment(selection.name.value, place);
      case Kind.INLINE_FRAGMENT: {
        const { typeCondition, selectionSet } = selection;
        const type = typeCondition ? typeNamed(typeCondition) : place.type;
        return ofSelections(selectionSet, { ...place, type });
      }
    }
  }

  function ofFragment(name: string, { isOfEveryType }: Place): Size {
    const fragment = fragments.get(name);
    const key = `${name} ${isOfEveryType}`;
    const size = known.get(key);
    if (size || !fragment) return size ?? NOTHING;
    spread.add(name);
    known.set(key, NOTHING); // validation refuses a fragment that spreads itself
    const type = typeNamed(fragment.typeCondition);
    const measured = ofSelections(fragment.selectionSet, { type, isOfEveryType });
    known.set(key, measured);
    return measured;
  }

  function ofField(field: FieldNode, { type: parent, isOfEveryType }: Place): Size {
    const name = field.name.value;
    const definition = definitionOf(name, parent);
    const type = definition && getNamedType(definition.type);
    const isMeta = isIntrospection(parent);
    const inner = field.selectionSet
      ? ofSelections(field.selectionSet, {
          type: isCompositeType(type) ? type : undefined,
          isOfEveryType: introspection.isOfEveryType(name, isOfEveryType),
        })
      : NOTHING;
    const { first, offset, groupBy } = askedOf(field, definition, variables);
    const isBranch = field.selectionSet !== undefined && !isMeta;
    const types = isInterfaceType(type) ? schema.getPossibleTypes(type).length : 1;
    return {
      fields: inner.fields + 1,
      branches: inner.branches + (isBranch ? 1 : 0),
      depth: inner.depth + 1,
      ...costOf(
        {
          name,
          rootOf: parent && parent === root ? operation.operation : undefined,
          isBranch,
          types: isMeta ? 0 : types,
          bytes:
            (field.alias ?? field.name).value.length +
            (isMeta ? BYTES_OF_INTROSPECTION : bytesOf(type)),
          first,
          offset,
          items: isMeta ? introspection.itemsOf(name, isOfEveryType) : groupsOf(name, groupBy),
          groupings: groupBy.length,
        },
        inner,
      ),
    };
  }

  const typeNamed = ({ name }: NamedTypeNode): Place["type"] => {
    const type = schema.getType(name.value);
    return isCompositeType(type) ? type : undefined;
  };

  const size = ofSelections(operation.selectionSet, { type: root, isOfEveryType: false });
  const { fields, branches, depth, plans, statements, mutations, once } = size;
  const cost = plans + statements + once;
  return { fields, branches, depth, plans, cost, mutations, types, fragments: spread };
}

/** The fields that lead to introspection are in no type. */
function definitionOf(name: string, parent: Place["type"]) {
  if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
  if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  const hasFields = isObjectType(parent) || isInterfaceType(parent);
  return hasFields ? parent.getFields()[name] : undefined;
}

const fragmentsIn = ({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> =>
  new Map(
    definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((definition) => [definition.name.value, definition]),
  );

/** The size of two selections, or of two operations. */
export const sumOfSizes = (a: Shape, b: Shape): Shape => ({
  fields: a.fields + b.fields,
  branches: a.branches + b.branches,
  depth: Math.max(a.depth, b.depth),
});

const sum = (a: Size, b: Size): Size => ({ ...sumOfSizes(a, b), ...sumOfCosts(a, b) });

/** How long the lists are in which a schema describes itself. */
export interface Introspection {
  /** The number of items of a list; 1 for a field that is not a list. */
  itemsOf(name: string, isOfEveryType: boolean): number;
  /** Whether the fields below a field read every type of the schema, once each. */
  isOfEveryType(name: string, isOfEveryType: boolean): boolean;
}

/** These lists belong to one type, and lead to no other type. */
const PARTS_OF_A_TYPE = new Set(["fields", "args", "inputFields", "enumValues"]);

/**
 * Where an operation reads every type once, as tools do, the average lengths are exact. Elsewhere
 * it can read the longest list over and over.
 */
export function introspectionOf(schema: GraphQLSchema): Introspection {
  const lengths = lengthsOfLists(schema);
  return {
    itemsOf(name, isOfEveryType) {
      const all = lengths.get(name);
      if (!all) return 1;
      return isOfEveryType ? all.reduce((a, b) => a + b, 0) / all.length : Math.max(...all);
    },
    isOfEveryType: (name, isOfEveryType) =>
      name === "types" || (isOfEveryType && PARTS_OF_A_TYPE.has(name)),
  };
}

export const isIntrospection = (type: GraphQLCompositeType | undefined): boolean =>
  type?.name.startsWith("__") ?? false;

function lengthsOfLists(schema: GraphQLSchema): ReadonlyMap<string, readonly number[]> {
  const types = Object.values(schema.getTypeMap());
  const fields = types.map((type) =>
    isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [],
  );
  const inputFields = types.map((type) =>
    isInputObjectType(type) ? Object.keys(type.getFields()) : [],
  );
  const implementations = types.filter(isInterfaceType).map((it) => schema.getPossibleTypes(it));
  const interfaces = types.map((type) => (isObjectType(type) ? type.getInterfaces() : []));
  const enumValues = types.map((type) => (isEnumType(type) ? type.getValues() : []));
  const lists: Readonly<Record<string, readonly { readonly length: number }[]>> = {
    types: [types],
    directives: [schema.getDirectives()],
    fields,
    args: fields.flat().map(({ args }) => args),
    inputFields,
    enumValues,
    interfaces,
    possibleTypes: [...implementations, []],
  };
  return new Map(
    Object.entries(lists).map(([name, each]) => [name, each.map(({ length }) => length)]),
  );
}
