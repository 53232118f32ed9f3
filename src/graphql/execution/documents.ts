import {
  type DocumentNode,
  GraphQLError,
  GraphQLSchema,
  getOperationAST,
  getVariableValues,
  Kind,
  Lexer,
  NoSchemaIntrospectionCustomRule,
  NoUnusedFragmentsRule,
  type OperationTypeNode,
  parse,
  Source,
  specifiedRules,
  TokenKind,
  validate,
} from "graphql";
import { LRUCache } from "lru-cache";
import type { Requirement } from "../../contract/route.ts";
import { Problem } from "../../errors/problem.ts";
import { InvalidDocument, MOST_ERRORS } from "../answer.ts";
import { tables } from "../schema/tables.ts";
import { refuseOver, type Variables } from "./cost.ts";
import { type Measure, measurer, pointsOf, refuseCost } from "./measure.ts";

export interface GraphQLRequest {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Variables;
}

/** A valid document, and the schema that executes it. */
interface KeptDocument {
  readonly document: DocumentNode;
  /** Grafast keeps only the plans of this document in it. */
  readonly schema: GraphQLSchema;
}

/** A document that may be executed. */
export interface CheckedDocument extends KeptDocument {
  readonly type: OperationTypeNode;
  /** The points that the rate limits charge for it. */
  readonly points: number;
  /** What it requires of the caller's account. */
  readonly requirement: Requirement;
}

const MOST_BYTES = 64_000_000;
/** Upper bounds of measured values. test/all/hostile measures them again. */
const BYTES_OF_A_DOCUMENT = 100_000;
const BYTES_OF_A_CHARACTER = 100;
const BYTES_OF_COST = 1_000;
/** An operation has several plans if its variables change it. Grafast accepts no lower limit. */
const PLANS_OF_AN_OPERATION = 2;

/**
 * Returns the check that every document must pass. The cheapest part of the check comes first. The
 * check throws a Problem 400.
 */
export function documentChecker(
  schema: GraphQLSchema,
  introspection: boolean,
): (request: GraphQLRequest) => CheckedDocument {
  const rules = introspection
    ? specifiedRules
    : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  // Suggestions contain names of the schema, which clients that may not read it must not see.
  const options = { maxErrors: MOST_ERRORS, hideSuggestions: !introspection };
  const measure = measurer(schema);
  /** The recently used documents. The memory of the documents and their plans is bounded. */
  const kept = new LRUCache<string, KeptDocument>({ maxSize: MOST_BYTES });

  return ({ query, operationName, variables }) => {
    limitVariables(variables);
    const known = kept.get(query);
    const document = known?.document ?? parseDocument(query);
    const operation = getOperationAST(document, operationName);
    if (!operation)
      throw invalid("Say by operationName which operation of the document to execute");
    if (!schema.getRootType(operation.operation))
      throw invalid(`There are no ${operation.operation}s here`);
    const { variableDefinitions = [] } = operation;
    const read = getVariableValues(schema, variableDefinitions, variables, options);
    if (read.errors) throw new InvalidDocument(read.errors.map(withoutValue));
    const size = { fields: 0, branches: 0 };
    const measured = measure(document, operation, read.coerced, size);
    refuseCost(measured);
    const checked = {
      type: operation.operation,
      points: pointsOf(measured),
      requirement: requirementOf(measured.types),
    };
    if (known) return { ...known, ...checked };

    // Validation checks the whole document, not only the operation to execute.
    const operations = document.definitions.filter((it) => it.kind === Kind.OPERATION_DEFINITION);
    const others = operations.filter((it) => it !== operation);
    const all = [measured, ...others.map((it) => measure(document, it, {}, size))];
    // An unused fragment was not measured, but validation would cost as much as for a used one.
    for (const some of [[NoUnusedFragmentsRule], rules]) {
      const errors = validate(schema, document, some, options);
      if (errors.length > 0) throw new InvalidDocument(errors.map((error) => shortened(error)));
    }
    const valid = { document, schema: schemaForOneDocument(schema) };
    kept.set(query, valid, { size: bytesToKeep(query, all) });
    return { ...valid, ...checked };
  };
}

const invalid = (message: string): Problem => new Problem("invalid_document", { message });

/** Grafast keeps the plans of each operation, and what it read from the schema itself. */
function bytesToKeep(query: string, all: readonly Measure[]): number {
  const costs = all.map(({ types, cost, plans }) =>
    types.has("__Schema") || types.has("__Type") ? cost : plans,
  );
  const cost = Math.ceil(costs.reduce((a, b) => a + b, 0));
  return (
    BYTES_OF_A_DOCUMENT +
    BYTES_OF_A_CHARACTER * query.length +
    BYTES_OF_COST * PLANS_OF_AN_OPERATION * cost
  );
}

/**
 * Grafast keeps plans in the schema, and limits their number but not their size. This schema shares
 * all types with the other one. When the document goes, its plans go too.
 */
function schemaForOneDocument(schema: GraphQLSchema): GraphQLSchema {
  const grafast = {
    ...schema.extensions.grafast,
    operationOperationPlansCacheMaxLength: PLANS_OF_AN_OPERATION,
  };
  const extensions = { ...schema.extensions, grafast };
  return new GraphQLSchema({ ...schema.toConfig(), extensions, assumeValid: true });
}

const MOST_TOKENS = 2000;
/** For each error, graphql-js counts the lines from the start to find its place. */
const MOST_LINES = 5000;
/** Names of the schema have at most 35 characters. Names in the document are in the answer. */
const LONGEST_NAME = 64;
/** No field takes a longer text, and cursors are shorter. */
const LONGEST_TEXT = 1000;
/** Values, lists and objects, at any depth. The largest input of a mutation has 5. */
const MOST_VALUES = 500;

/**
 * Parses a document. Its parts must have a usual size, because errors quote them and suggestions
 * compare them with every name of the schema.
 * @throws Problem 400
 */
function parseDocument(query: string): DocumentNode {
  try {
    const lexer = new Lexer(new Source(query));
    for (let count = 1; lexer.advance().kind !== TokenKind.EOF; count++) {
      const { kind, start, end } = lexer.token;
      refuseOver(count, MOST_TOKENS, "The document", "tokens");
      refuseOver(lexer.line, MOST_LINES, "The document", "lines");
      if (kind === TokenKind.NAME) refuseOver(end - start, LONGEST_NAME, "A name", "characters");
      refuseOver(end - start, LONGEST_TEXT, "A value", "characters");
    }
    return parse(query);
  } catch (error) {
    throw error instanceof GraphQLError ? new InvalidDocument([shortened(error)]) : error;
  }
}

/** @throws Problem document_too_large for variables that are larger than any operation needs */
function limitVariables(variables: Variables): void {
  let values = -1; // does not count the object that contains them all
  JSON.stringify(variables, (key, value) => {
    refuseOver(++values, MOST_VALUES, "The variables", "values");
    refuseOver(key.length, LONGEST_TEXT, "A value", "characters");
    if (typeof value === "string") refuseOver(value.length, LONGEST_TEXT, "A value", "characters");
    return value;
  });
}

/** graphql-js begins the message with the whole value. This keeps only its place and the reason. */
function withoutValue(error: GraphQLError): GraphQLError {
  const { originalError, nodes, message } = error;
  const [node] = nodes ?? [];
  if (!originalError || node?.kind !== Kind.VARIABLE_DEFINITION) return shortened(error);
  const reason = originalError.message;
  const place = / at "([^"]+)"$/.exec(message.slice(0, -`; ${reason}`.length))?.[1];
  return shortened(error, `Variable "$${place ?? node.variable.name.value}": ${reason}`);
}

const LONGEST_MESSAGE = 200;

/** The error with a message of bounded length: graphql-js quotes what the client wrote. */
function shortened(error: GraphQLError, message = error.message): GraphQLError {
  const { nodes, source, positions } = error;
  const short =
    message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE - 1)}…` : message;
  return new GraphQLError(short, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
  });
}

const fromLeastToMost: readonly Requirement[] = ["none", "approved", "staff", "administrator"];

/** What reading the fields of a type requires. Edges and aggregates are read from connections. */
const requirementsOfTypes: ReadonlyMap<string, Requirement> = new Map([
  ["Node", "approved"], // a row of any table
  ...Object.values(tables).flatMap(({ type, requires }): [string, Requirement][] => [
    [type, requires.row],
    [`${type}Connection`, requires.list],
  ]),
]);

/**
 * What an operation requires of the caller's account. Without this check, the policies would show
 * empty lists to an account that is not approved, instead of the reason.
 * @param types the names of the types whose fields the operation reads
 */
function requirementOf(types: ReadonlySet<string>): Requirement {
  const required = new Set([...types].map((type) => requirementsOfTypes.get(type)));
  return fromLeastToMost.findLast((requirement) => required.has(requirement)) ?? "none";
}
