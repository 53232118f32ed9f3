import {
  type DocumentNode,
  type GraphQLError,
  GraphQLSchema,
  getOperationAST,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  type OperationTypeNode,
  specifiedRules,
  validate,
} from "graphql";
import { LRUCache } from "lru-cache";
import type { Requirement } from "../../contract/route.ts";
import { Problem } from "../../errors/problem.ts";
import { tables } from "../schema/tables.ts";
import { pointsOf } from "./cost.ts";
import { type Measure, measurer, NO_SHAPE, type Shape, sumOfSizes, type Used } from "./measure.ts";
import type { GraphQLRequest } from "./request.ts";
import { errorsOfVariables, limitVariables, parseDocument, shortened } from "./request.ts";

/** A document that may be executed. */
export interface CheckedDocument {
  readonly document: DocumentNode;
  /** The schema to execute it with: Grafast keeps the plans of the document in it. */
  readonly schema: GraphQLSchema;
  readonly type: OperationTypeNode;
  /** What the rate limits charge for it. */
  readonly points: number;
  /** The names of the types whose fields the operation reads. */
  readonly types: ReadonlySet<string>;
}

/** The errors of one answer; more are of no use to a person. */
export const MOST_ERRORS = 10;
const most: Omit<Measure, "plans" | "mutations"> = {
  fields: 500,
  branches: 60,
  depth: 16, // 13 is what tools need to read the schema
  cost: 20_000,
};
const complaints: Readonly<Record<keyof typeof most, string>> = {
  fields: `The document asks for more than ${most.fields} fields`,
  branches: `The document asks for more than ${most.branches} rows and lists`,
  depth: `The document is nested more than ${most.depth} levels deep`,
  cost: "The document asks for too much; ask for shorter lists, fewer fields or shorter names",
};

/**
 * Makes the check that every document has to pass, the cheapest part of it first.
 *
 * The check throws a GraphQLError (syntax), an AggregateError of them (validity) or a Problem.
 */
export function documentChecker(
  schema: GraphQLSchema,
  introspection: boolean,
): (request: GraphQLRequest) => CheckedDocument {
  const rules = introspection
    ? specifiedRules
    : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  // Suggestions are names of the schema, and may not be shown where it may not be read.
  const options = { maxErrors: MOST_ERRORS, hideSuggestions: !introspection };
  const measure = measurer(schema);
  const kept = keepDocuments(schema);

  return ({ query, operationName, variables }) => {
    limitVariables(variables);
    const known = kept.find(query);
    const document = known?.document ?? parseDocument(query);
    const operation = getOperationAST(document, operationName);
    if (!operation) {
      throw new Problem("invalid_document", {
        message: "Say by operationName which operation of the document to execute",
      });
    }
    if (!schema.getRootType(operation.operation)) {
      throw new Problem("invalid_document", {
        message: `There are no ${operation.operation}s here`,
      });
    }
    const measured = measure(operation, document, variables);
    limit(measured, ["cost"]);
    const { types } = measured;
    const points = pointsOf(measured.cost, measured.mutations);
    const checked = { type: operation.operation, points, types };
    if (known) {
      refuse(errorsOfVariables(schema, operation, variables, options));
      return { ...known, ...checked };
    }
    // Validation looks at all of the document, and not only at the operation to execute.
    const others = operationsIn(document).filter((it) => it !== operation);
    const all = [measured, ...others.map((it) => measure(it, document, {}))];
    const shape = all.reduce<Shape>(sumOfSizes, NO_SHAPE);
    limit(shape, ["fields", "branches", "depth"]);
    refuseUnusedFragments(document, all);
    const keeping = all.reduce((total, it) => total + costOfKeeping(it), 0);
    refuse(validate(schema, document, rules, options));
    refuse(errorsOfVariables(schema, operation, variables, options));
    return { ...kept.keep(query, document, keeping), ...checked };
  };
}

/** Grafast keeps the plans of an operation, and what it read of the schema itself. */
const costOfKeeping = ({ plans, cost, types }: Measure & Used): number =>
  types.has("__Schema") || types.has("__Type") ? plans + cost : plans;

const operationsIn = ({ definitions }: DocumentNode): readonly OperationDefinitionNode[] =>
  definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);

function limit(size: Partial<Measure>, aspects: readonly (keyof typeof most)[]): void {
  for (const aspect of aspects) {
    if ((size[aspect] ?? 0) <= most[aspect]) continue; // false for what is not a number, too
    throw new Problem("document_too_large", { message: complaints[aspect] });
  }
}

/** Such a fragment is invalid, and would be validated at the same expense as a used one. */
function refuseUnusedFragments({ definitions }: DocumentNode, all: readonly Used[]): void {
  for (const definition of definitions) {
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    const name = definition.name.value;
    if (all.some(({ fragments }) => fragments.has(name))) continue;
    throw new Problem("invalid_document", { message: `Fragment "${name}" is never used.` });
  }
}

function refuse(errors: readonly GraphQLError[]): void {
  if (errors.length > 0) throw new AggregateError(errors.map(shortened));
}

/** A valid document, and the schema to execute it with. */
export interface KeptDocument {
  readonly document: DocumentNode;
  /** Grafast keeps the plans of this document in it, and of no other document. */
  readonly schema: GraphQLSchema;
}

export interface KeptDocuments {
  find(query: string): KeptDocument | undefined;
  /** @param cost the part of the costs of its operations that is for what is kept */
  keep(query: string, document: DocumentNode, cost: number): KeptDocument;
}

const MOST_BYTES = 64_000_000;
/** Upper bounds of what was measured: test/hostile measures it again. */
const BYTES_OF_A_DOCUMENT = 100_000;
const BYTES_OF_A_CHARACTER = 100;
const BYTES_OF_COST = 1_000;
/** An operation has several plans where its variables change it; this is the least Grafast takes. */
const PLANS_OF_AN_OPERATION = 2;

/**
 * Keeps documents that were used lately, and their plans, in a bounded amount of memory.
 *
 * Grafast keeps plans in the schema, and bounds their number and not their size. Here each document
 * has a schema of its own, which shares all types: its plans go when the document goes.
 */
export function keepDocuments(schema: GraphQLSchema): KeptDocuments {
  const kept = new LRUCache<string, KeptDocument>({ maxSize: MOST_BYTES });
  return {
    find: (query) => kept.get(query),
    keep(query, document, cost) {
      const it = { document, schema: schemaForOneDocument(schema) };
      const size =
        BYTES_OF_A_DOCUMENT +
        BYTES_OF_A_CHARACTER * query.length +
        BYTES_OF_COST * PLANS_OF_AN_OPERATION * Math.ceil(cost);
      kept.set(query, it, { size });
      return it;
    },
  };
}

function schemaForOneDocument(schema: GraphQLSchema): GraphQLSchema {
  const grafast = {
    ...schema.extensions.grafast,
    operationOperationPlansCacheMaxLength: PLANS_OF_AN_OPERATION,
  };
  const extensions = { ...schema.extensions, grafast };
  return new GraphQLSchema({ ...schema.toConfig(), extensions, assumeValid: true });
}

const fromLeastToMost: readonly Requirement[] = ["none", "approved", "administrator"];

/** What reading the fields of a type requires. Edges and aggregates are read from connections. */
const requirements: ReadonlyMap<string, Requirement> = new Map([
  ["Node", "approved"], // a row of any table
  ...Object.values(tables).flatMap(({ type, requires }): [string, Requirement][] => [
    [type, requires.row],
    [`${type}Connection`, requires.list],
  ]),
]);

/**
 * What an operation requires of the caller's account. Without it, the policies would show an
 * account that is not approved empty lists instead of the reason.
 *
 * @param types the names of the types whose fields the operation reads
 */
export function requirementOf(types: ReadonlySet<string>): Requirement {
  const required = new Set([...types].map((type) => requirements.get(type)));
  return fromLeastToMost.findLast((requirement) => required.has(requirement)) ?? "none";
}
