import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import { firstOf, type Variables, withDefaults } from "./arguments.ts";
import { type Cost, costOf, NO_COST, sumOfCosts } from "./cost.ts";

/** How much an operation asks for, its fragments expanded. All numbers may be infinite. */
export interface Measure {
  /** Fields and directives, once each, however many items the list has that they stand in. */
  readonly fields: number;
  /** Those of them that have fields below them, of which each takes a while to plan. */
  readonly branches: number;
  /** How deep they are nested. */
  readonly depth: number;
  readonly cost: number;
}

interface Size extends Cost, Omit<Measure, "cost"> {}

const NOTHING: Size = { fields: 0, branches: 0, depth: 0, ...NO_COST };

type Type = GraphQLCompositeType | undefined;

/**
 * Measures an operation before anything else looks at it: validation and planning take the more
 * time the larger it is with its fragments expanded. This does not, since it looks at each fragment
 * once. The document need not be valid.
 *
 * @returns also the names of the types whose fields are asked for
 * @throws Problem 400 for a page or an argument that is too long
 */
export function measureOf(
  operation: OperationDefinitionNode,
  document: DocumentNode,
  schema: GraphQLSchema,
  given: Variables,
): Measure & { readonly types: ReadonlySet<string> } {
  const variables = withDefaults(given, operation);
  const root = schema.getRootType(operation.operation) ?? undefined;
  const fragments = fragmentsIn(document);
  const known = new Map<string, Size>();
  const types = new Set<string>();

  function ofSelections({ selections }: SelectionSetNode, type: Type): Size {
    if (type) types.add(type.name);
    return selections.map((selection) => ofSelection(selection, type)).reduce(sum, NOTHING);
  }

  function ofSelection(selection: SelectionNode, type: Type): Size {
    const directives = { ...NOTHING, fields: selection.directives?.length ?? 0 };
    return sum(directives, ofSelected(selection, type));
  }

  function ofSelected(selection: SelectionNode, type: Type): Size {
    switch (selection.kind) {
      case Kind.FIELD:
        return ofField(selection, type);
      case Kind.FRAGMENT_SPREAD:
        return ofFragment(selection.name.value);
      case Kind.INLINE_FRAGMENT: {
        const { typeCondition, selectionSet } = selection;
        return ofSelections(selectionSet, typeCondition ? typeNamed(typeCondition) : type);
      }
    }
  }

  function ofFragment(name: string): Size {
    const fragment = fragments.get(name);
    const size = known.get(name);
    if (size || !fragment) return size ?? NOTHING;
    known.set(name, NOTHING); // one that spreads itself is left to validation
    const measured = ofSelections(fragment.selectionSet, typeNamed(fragment.typeCondition));
    known.set(name, measured);
    return measured;
  }

  function ofField(field: FieldNode, parent: Type): Size {
    const name = field.name.value;
    const hasFields = isObjectType(parent) || isInterfaceType(parent);
    const definition = hasFields ? parent.getFields()[name] : undefined;
    const type = definition && getNamedType(definition.type);
    const inner = field.selectionSet
      ? ofSelections(field.selectionSet, isCompositeType(type) ? type : undefined)
      : NOTHING;
    const first = firstOf(field, definition, variables);
    const rootOf = parent && parent === root ? operation.operation : undefined;
    return {
      fields: inner.fields + 1,
      branches: inner.branches + (field.selectionSet && !isOfTheSchemaItself(parent) ? 1 : 0),
      depth: inner.depth + 1,
      ...costOf({ name, rootOf, first }, inner),
    };
  }

  const typeNamed = ({ name }: NamedTypeNode): Type => {
    const type = schema.getType(name.value);
    return isCompositeType(type) ? type : undefined;
  };

  const { fields, branches, depth, once } = ofSelections(operation.selectionSet, root);
  return { fields, branches, depth, cost: once, types };
}

const isOfTheSchemaItself = (type: Type): boolean => type?.name.startsWith("__") ?? false;

const fragmentsIn = ({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> =>
  new Map(
    definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((definition) => [definition.name.value, definition]),
  );

const sum = (a: Size, b: Size): Size => ({
  fields: a.fields + b.fields,
  branches: a.branches + b.branches,
  depth: Math.max(a.depth, b.depth),
  ...sumOfCosts(a, b),
});
