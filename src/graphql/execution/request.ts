import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  parse,
  Source,
  TokenKind,
} from "graphql";
import { Problem } from "../../errors/problem.ts";

export type Variables = Readonly<Record<string, unknown>>;

export interface GraphQLRequest {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Variables;
}

/**
 * Reads the parameters of a GraphQL request (GraphQL over HTTP, 5.1). One that is null is left out.
 * @throws Problem 400
 */
export function readRequest(body: unknown): GraphQLRequest {
  if (Array.isArray(body))
    throw new Problem("validation_failed", {
      message: "Batches are not served; send one operation",
    });
  if (!isMap(body))
    throw new Problem("validation_failed", { message: "The request body must be a JSON object" });
  const { query, operationName, variables, extensions } = body;

  if (typeof query !== "string")
    throw new Problem("validation_failed", { message: "query must be a string" });
  if (operationName != null && typeof operationName !== "string") {
    throw new Problem("validation_failed", { message: "operationName must be a string" });
  }
  if (variables != null && !isMap(variables)) {
    throw new Problem("validation_failed", { message: "variables must be an object" });
  }
  if (extensions != null && !isMap(extensions)) {
    throw new Problem("validation_failed", { message: "extensions must be an object" });
  }
  return { query, operationName: operationName ?? undefined, variables: variables ?? {} };
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const MOST_TOKENS = 2000;
/** The names of the schema have at most 35 characters. Names in the document are in the answer. */
const LONGEST_NAME = 64;
/** No field takes a longer text, and cursors are shorter. */
export const LONGEST_TEXT = 1000;

/**
 * Parses a document whose parts are of a usual size: errors quote them, and suggestions compare
 * them with every name of the schema.
 *
 * @throws GraphQLError for the syntax, or Problem document_too_large
 */
export function parseDocument(query: string): DocumentNode {
  try {
    limitTokens(query);
    return parse(query);
  } catch (error) {
    throw error instanceof GraphQLError ? shortened(error) : error;
  }
}

function limitTokens(query: string): void {
  const lexer = new Lexer(new Source(query));
  for (let count = 0; lexer.advance().kind !== TokenKind.EOF; count++) {
    const { kind, start, end } = lexer.token;
    if (count === MOST_TOKENS) {
      throw new Problem("document_too_large", {
        message: `The document must not have more than ${MOST_TOKENS} tokens`,
      });
    }
    if (kind === TokenKind.NAME && end - start > LONGEST_NAME) {
      throw new Problem("document_too_large", {
        message: `A name must not have more than ${LONGEST_NAME} characters`,
      });
    }
    if (end - start > LONGEST_TEXT) {
      throw new Problem("document_too_large", {
        message: `A value must not have more than ${LONGEST_TEXT} characters`,
      });
    }
  }
}

/** Values, lists and objects, however they are nested. The largest input of a mutation has 5. */
const MOST_VALUES = 500;

/** @throws Problem document_too_large for variables that are larger than any operation needs */
export function limitVariables(variables: Variables): void {
  const left: unknown[] = [variables];
  let seen = 0;
  const refuseAfter = (values: number): void => {
    if (values > MOST_VALUES) {
      throw new Problem("document_too_large", {
        message: `The variables must not have more than ${MOST_VALUES} values`,
      });
    }
  };
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value === "string") limitText(value);
    if (typeof value !== "object" || value === null) continue;
    for (const key in value) {
      refuseAfter(++seen);
      limitText(key);
      left.push(Reflect.get(value, key));
    }
  }
}

function limitText(text: string): void {
  if (text.length <= LONGEST_TEXT) return;
  throw new Problem("document_too_large", {
    message: `A value must not have more than ${LONGEST_TEXT} characters`,
  });
}

/** What is wrong with the variables of an operation. */
export function errorsOfVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables,
  options: { readonly maxErrors: number; readonly hideSuggestions: boolean },
): readonly GraphQLError[] {
  const { errors = [] } = getVariableValues(schema, variableDefinitions, variables, options);
  return errors.map(withoutValue);
}

/** graphql-js begins each message with the whole value. This leaves its place and the reason. */
function withoutValue(error: GraphQLError): GraphQLError {
  const { originalError, nodes, message } = error;
  const [node] = nodes ?? [];
  if (!originalError || node?.kind !== Kind.VARIABLE_DEFINITION) return error;
  const reason = originalError.message;
  const place = / at "([^"]+)"$/.exec(message.slice(0, -`; ${reason}`.length))?.[1];
  return new GraphQLError(`Variable "$${place ?? node.variable.name.value}": ${reason}`, {
    nodes: nodes ?? null,
  });
}

const LONGEST_MESSAGE = 200;

/** The error with a message of bounded length: graphql-js quotes what the client wrote. */
export function shortened({ message, nodes, source, positions }: GraphQLError): GraphQLError {
  const short =
    message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE - 1)}…` : message;
  return new GraphQLError(short, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
  });
}
