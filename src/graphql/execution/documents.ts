import {
  type DocumentNode,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type OperationTypeNode,
  parse,
  specifiedRules,
  validate,
} from "graphql";
import { Problem } from "../../errors/problem.ts";
import type { Variables } from "./arguments.ts";
import { type Measure, measureOf } from "./measure.ts";

export interface GraphQLRequest {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Variables;
}

/** A document that may be executed, and what the operation asked for in it amounts to. */
export interface CheckedDocument {
  readonly document: DocumentNode;
  readonly type: OperationTypeNode;
  readonly cost: number;
  /** The names of the types whose fields it asks for. */
  readonly types: ReadonlySet<string>;
}

const MOST_TOKENS = 2000;
const MOST_ERRORS_TOLD = 10;
const most: Measure = {
  fields: 500,
  branches: 60,
  depth: 16, // 13 is what tools need to read the schema
  cost: 20_000,
};
const complaints: Readonly<Record<keyof Measure, string>> = {
  fields: `The document asks for more than ${most.fields} fields`,
  branches: `The document asks for more than ${most.branches} rows and lists`,
  depth: `The document is nested more than ${most.depth} levels deep`,
  cost: "The document asks for too many rows; ask for shorter lists",
};

/** Valid documents are kept, as the same objects, by which the plans of executed ones are found. */
const MOST_KEPT = 500;
const LONGEST_KEPT = 10_000;

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
  const kept = new Map<string, DocumentNode>();

  function keep(query: string, document: DocumentNode): void {
    const [oldest] = kept.keys();
    if (kept.size === MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(query, document);
  }

  return ({ query, operationName, variables }) => {
    const known = kept.get(query);
    const document = known ?? parse(query, { maxTokens: MOST_TOKENS });
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
    for (const definition of document.definitions) {
      if (definition.kind !== Kind.OPERATION_DEFINITION || definition === operation) continue;
      limit(measureOf(definition, document, schema, {}), ["fields", "branches", "depth"]);
    }
    const measure = measureOf(operation, document, schema, variables);
    limit(measure, ["fields", "branches", "depth", "cost"]);

    if (!known) {
      const errors = validate(schema, document, rules, {
        maxErrors: MOST_ERRORS_TOLD,
        hideSuggestions: !introspection, // they tell of the schema what may not be read
      });
      if (errors.length > 0) throw new AggregateError(errors);
      if (query.length <= LONGEST_KEPT) keep(query, document);
    }
    return { document, type: operation.operation, cost: measure.cost, types: measure.types };
  };
}

function limit(measure: Measure, aspects: readonly (keyof Measure)[]): void {
  for (const aspect of aspects) {
    if (measure[aspect] > most[aspect])
      throw new Problem("document_too_large", { message: complaints[aspect] });
  }
}
