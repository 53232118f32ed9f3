import { type DocumentNode, type ExecutionResult, OperationTypeNode } from "graphql";
import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import { execute } from "postgraphile/grafast";
import type { Identity } from "../../tokens/identity.ts";
import type { OperationContext } from "./context.ts";
import type { CheckedDocument, GraphQLRequest } from "./documents.ts";
import { mutator } from "./mutator.ts";
import { createQueue } from "./queue.ts";
import { type Outcome, readTransaction, type Suppositions } from "./read-transaction.ts";
import { requirementOf } from "./requirement.ts";

export type Execute = (
  caller: Identity,
  checked: CheckedDocument,
  request: GraphQLRequest,
  left: AbortSignal,
) => Promise<ExecutionResult>;

const MOST_ADMINISTRATORS = 1000;

/**
 * Returns the function that executes operations.
 *
 * What it takes from the last time, for a document and for a caller, makes the next time one flight.
 * Where that proves wrong, the operation is executed again, and waits for what it has to know.
 *
 * @param pool the connections of GraphQL. An operation has one at a time, and no more operations run
 *   than there are connections: none waits for one, and a waiting operation holds nothing.
 */
export function executor(pool: Pool): Execute {
  const performers = mutator(pool);
  /** Those who were administrators when they last asked. */
  const administrators = new LRUCache<string, true>({ max: MOST_ADMINISTRATORS });
  /** Whether so far each execution of a document asked for all its statements in one turn. */
  const inOneTurn = new WeakMap<DocumentNode, boolean>();
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
    checked: CheckedDocument,
    request: GraphQLRequest,
    left: AbortSignal,
  ): Promise<ExecutionResult> {
    const attempt = (supposed?: Suppositions) =>
      executeOnce(caller, checked, request, left, supposed);
    const { document, type } = checked;
    const isInOneTurn = inOneTurn.get(document);
    const supposed = {
      isAdministrator: administrators.has(caller.sub),
      isInOneTurn: isInOneTurn ?? false,
    };
    // A mutation cannot be tried again: for it nothing is supposed.
    const { result, outcome } = await attempt(
      type === OperationTypeNode.QUERY ? supposed : undefined,
    );
    if (!outcome) return result;
    if (outcome.isAdministrator) administrators.set(caller.sub, true);
    else administrators.delete(caller.sub);
    inOneTurn.set(document, outcome.turns === 1 && isInOneTurn !== false);
    return outcome.isValid ? result : (await attempt()).result;
  }

  async function executeOnce(
    caller: Identity,
    { document, schema, type, types }: CheckedDocument,
    { operationName, variables }: GraphQLRequest,
    left: AbortSignal,
    supposed: Suppositions | undefined,
  ): Promise<{ readonly result: ExecutionResult; readonly outcome: Outcome | undefined }> {
    const claims = JSON.stringify(caller);
    const requirement = requirementOf(types);
    const transaction = readTransaction({ pool, claims, requirement, left, supposed });
    const contextValue: OperationContext = {
      callerId: caller.sub,
      pgSettings: null,
      withPgClient: transaction.withPgClient,
      isAdministrator: transaction.isAdministrator,
      async mutate(call, input) {
        const perform = performers.get(call);
        if (!perform) throw new Error(`no mutation calls ${call}`);
        // The mutation needs the connection, and what is read later must see its result.
        await transaction.end();
        return perform(caller, input, () => left.aborted);
      },
    };
    const isQuery = type === OperationTypeNode.QUERY;
    try {
      if (isQuery) await transaction.begin();
      const result = await execute({
        schema,
        document,
        contextValue,
        operationName: operationName ?? null,
        variableValues: variables,
      });
      if (Symbol.asyncIterator in result)
        throw new Error("@stream and @defer are off, and yet the result is a stream");
      return { result, outcome: isQuery ? await transaction.outcome() : undefined };
    } finally {
      await transaction.end();
    }
  }
}
