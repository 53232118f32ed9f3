import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  type OperationTypeNode,
  specifiedRules,
  validate,
} from "graphql";
import { Problem } from "../../errors/problem.ts";
import type { Variables } from "./arguments.ts";
import { pointsOf } from "./cost.ts";
import { keepDocuments } from "./kept-documents.ts";
import { type Measure, measurer, NO_SHAPE, type Shape, sumOfSizes, type Used } from "./measure.ts";
import { parseDocument } from "./parse.ts";
import { shortened } from "./shortened.ts";
import { errorsOfVariables, limitVariables } from "./variables.ts";

export interface GraphQLRequest {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Variables;
}

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
