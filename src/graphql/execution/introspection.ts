import {
  type GraphQLCompositeType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from "graphql";

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
