import { type ExecutionResult, OperationTypeNode } from "graphql";
import type { Pool } from "pg";
import { execute } from "postgraphile/grafast";
import type { Identity } from "../../tokens/identity.ts";
import type { OperationContext } from "./context.ts";
import type { CheckedDocument, GraphQLRequest } from "./documents.ts";
import { mutator } from "./mutator.ts";
import { createQueue } from "./queue.ts";
import { readTransaction } from "./read-transaction.ts";
import { requirementOf } from "./requirement.ts";

export type Execute = (
  caller: Identity,
  checked: CheckedDocument,
  request: GraphQLRequest,
  left: AbortSignal,
) => Promise<ExecutionResult>;

/**
 * Returns the function that executes operations.
 *
 * @param pool the connections of GraphQL. An operation has one at a time, and no more operations run
 *   than there are connections: none waits for one, and a waiting operation holds nothing.
 */
export function executor(pool: Pool): Execute {
  const performers = mutator(pool);
  const queue = createQueue({
    running: pool.options.max,
    runningOfOne: 2,
    waiting: 50,
    waitingOfOne: 20,
    longestWaitMs: 5_000,
  });

  return (caller, checked, request, left) =>
    queue.run(caller.sub, left, () => executeNow(caller, checked, request, left));

  async function executeNow(
    caller: Identity,
    { document, schema, type, types }: CheckedDocument,
    { operationName, variables }: GraphQLRequest,
    left: AbortSignal,
  ): Promise<ExecutionResult> {
    const claims = JSON.stringify(caller);
    const transaction = readTransaction({ pool, claims, requirement: requirementOf(types), left });
    const contextValue: OperationContext = {
      callerId: caller.sub,
      pgSettings: null,
      withPgClient: transaction.withPgClient,
      party: transaction.begin,
      async mutate(call, input) {
        const perform = performers.get(call);
        if (!perform) throw new Error(`no mutation calls ${call}`);
        // The mutation needs the connection, and what is read later must see its result.
        await transaction.end();
        return perform(caller, input, () => left.aborted);
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
  }
}
