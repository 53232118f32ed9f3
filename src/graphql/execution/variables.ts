import {
  GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
} from "graphql";
import { Problem } from "../../errors/problem.ts";
import type { Variables } from "./arguments.ts";
import { LONGEST_TEXT } from "./parse.ts";

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
