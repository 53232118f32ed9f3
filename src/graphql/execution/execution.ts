import { type ExecutionResult, type GraphQLSchema, OperationTypeNode } from "graphql";
import type { Pool } from "pg";
import { execute } from "postgraphile/grafast";
import type { Identity } from "../../tokens/identity.ts";
import { halfOf } from "./connections.ts";
import type { OperationContext } from "./context.ts";
import type { CheckedDocument, GraphQLRequest } from "./documents.ts";
import { mutator } from "./mutator.ts";
import { readTransaction } from "./read-transaction.ts";
import { requirementOf } from "./requirement.ts";

export type Execute = (
  caller: Identity,
  checked: CheckedDocument,
  request: GraphQLRequest,
) => Promise<ExecutionResult>;

/** Returns the function that executes operations, each with one connection at a time. */
export function executor(schema: GraphQLSchema, pool: Pool): Execute {
  const performers = mutator(pool);
  const connections = halfOf(pool);

  return async (caller, { document, type, types }, { operationName, variables }) => {
    const transaction = readTransaction(connections, JSON.stringify(caller), requirementOf(types));
    const contextValue: OperationContext = {
      callerId: caller.sub,
      pgSettings: null,
      withPgClient: transaction.withPgClient,
      party: transaction.begin,
      async mutate(call, input) {
        const perform = performers.get(call);
        if (!perform) throw new Error(`no mutation calls ${call}`);
        // An operation that held a connection and waited for a second one could wait for ever. What
        // is read after the mutation must also see its result.
        await transaction.end();
        return perform(caller, input);
      },
    };
    try {
      if (type === OperationTypeNode.QUERY) await transaction.begin();
      const result = await execute({
        schema,
        document,
        contextValue,
        operationName: operationName ?? null,
        variableValues: variables,
      });
      if (Symbol.asyncIterator in result)
        throw new Error("@stream and @defer are off, and yet the result is a stream");
      return result;
    } finally {
      await transaction.end();
    }
  };
}
