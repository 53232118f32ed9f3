import { type DocumentNode, type ExecutionResult, GraphQLError, OperationTypeNode } from "graphql";
import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import type { WithPgClient } from "postgraphile/@dataplan/pg";
import { execute, isSafeError } from "postgraphile/grafast";
import { Problem } from "../../errors/problem.ts";
import { Bound, linesOf } from "../../overload/bound.ts";
import { callerOf, type Identity } from "../../tokens/identity.ts";
import type { Body } from "../schema/mutations.ts";
import type { CheckedDocument, GraphQLRequest } from "./documents.ts";
import { type ReadTransaction, readTransaction, type Suppositions } from "./read-transaction.ts";

export type Execute = (
  caller: Identity,
  checked: CheckedDocument,
  request: GraphQLRequest,
  left: AbortSignal,
  terms: Terms,
) => Promise<ExecutionResult>;

/** What a mutation needs of the request. */
interface Terms {
  /** Whether the client has left. */
  readonly isGone: () => boolean;
  /** Charges the caller more points of the rate limit, for a mutation with the work of several. */
  readonly charge: (points: number) => Promise<void> | undefined;
}

/** Executes a mutation with the arguments of its route, and returns the body of the answer. */
export type Perform = (
  call: string,
  caller: Identity,
  values: Readonly<Record<string, unknown>>,
  terms: Terms,
) => Promise<string>;

/** What the plans of one operation use. */
export interface OperationContext {
  readonly callerId: string;
  /** Calls the SQL function of a route as the route does, and returns the body of its response. */
  readonly mutate: (call: string, input: Readonly<Record<string, unknown>>) => Promise<Body>;
  /** Whether the caller is an administrator, who sees all claims. */
  readonly isAdministrator: () => Promise<boolean>;
  /** PostGraphile requires these names. The transaction makes the settings, so there are none. */
  readonly pgSettings: null;
  readonly withPgClient: WithPgClient;
}

declare global {
  namespace Grafast {
    interface Context extends Pick<OperationContext, "callerId" | "mutate" | "isAdministrator"> {}
  }
}

const MOST_ADMINISTRATORS = 1000;

/**
 * Returns the function that executes operations. It remembers facts about documents and callers, which
 * make the next execution one flight. If a fact has changed, the operation runs again without it.
 * @param pool the connections of GraphQL. An operation uses one, and no more operations run than
 *   there are connections, so none waits for one.
 * @param perform executes mutations
 */
export function executor(pool: Pool, perform: Perform): Execute {
  /** The callers who were administrators when they last asked. */
  const administrators = new LRUCache<string, true>({ max: MOST_ADMINISTRATORS });
  /** Whether each execution of a document so far asked for all its statements in one turn. */
  const inOneTurn = new WeakMap<DocumentNode, boolean>();
  const bound = new Bound(5_000, "the operations before it took too long");
  const queue = { name: "graphql_queue", full: "too many operations wait" };
  /** One caller never takes all the room. */
  const ofCaller = linesOf({ ...queue, running: 2, most: 20 });
  const all = linesOf({ ...queue, running: pool.options.max, most: 50 });

  const dropGone = () => bound.dropGone();

  return async (caller, checked, request, left, terms) => {
    left.addEventListener("abort", dropGone);
    try {
      return await bound.run(
        [ofCaller(callerOf(caller)), all()],
        () => {
          const isMutation = checked.type === OperationTypeNode.MUTATION;
          return (isMutation ? mutate : query)(caller, checked, request, left, terms);
        },
        () => left.aborted,
      );
    } finally {
      left.removeEventListener("abort", dropGone);
    }
  };

  async function query(...[caller, checked, request, left]: Parameters<Execute>) {
    const callerId = callerOf(caller);
    const { document, requirement } = checked;
    const claims = JSON.stringify(caller);
    async function attempt(supposed?: Suppositions) {
      const transaction = readTransaction({ pool, claims, requirement, left, supposed });
      try {
        const { withPgClient, isAdministrator } = transaction;
        const mutate = () => Promise.reject(new Error("a query changes nothing"));
        const context = { callerId, pgSettings: null, withPgClient, isAdministrator, mutate };
        const result = await run(checked, request, context);
        return { result, ...(await transaction.outcome()) };
      } finally {
        await transaction.end();
      }
    }

    const isInOneTurn = inOneTurn.get(document);
    const { result, isValid, isAdministrator, turns } = await attempt({
      isAdministrator: administrators.has(callerId),
      isInOneTurn: isInOneTurn ?? false,
    });
    if (isAdministrator) administrators.set(callerId, true);
    else administrators.delete(callerId);
    inOneTurn.set(document, turns === 1 && isInOneTurn !== false);
    return isValid ? result : (await attempt()).result;
  }

  /** A mutation cannot be tried again, so nothing is assumed. */
  async function mutate(...[caller, checked, request, left, terms]: Parameters<Execute>) {
    const claims = JSON.stringify(caller);
    const { requirement } = checked;
    let transaction: ReadTransaction | undefined;
    const current = () => (transaction ??= readTransaction({ pool, claims, requirement, left }));
    async function end(): Promise<void> {
      const ended = transaction;
      transaction = undefined;
      await ended?.end();
    }
    try {
      return await run(checked, request, {
        callerId: callerOf(caller),
        pgSettings: null,
        withPgClient: (settings, use) => current().withPgClient(settings, use),
        isAdministrator: () => current().isAdministrator(),
        async mutate(call, input) {
          // The mutation needs the connection, and later reads must see its result.
          await end();
          return JSON.parse(await perform(call, caller, input, terms));
        },
      });
    } finally {
      await end();
    }
  }
}

async function run(
  { schema, document }: CheckedDocument,
  { operationName, variables }: GraphQLRequest,
  contextValue: OperationContext,
): Promise<ExecutionResult> {
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
}

/**
 * The cause of an error below a field. Some errors, such as those about a cursor, have a message
 * for the author of the document.
 */
export function causeOf({ originalError: cause, message }: GraphQLError): unknown {
  const isMeant = cause === undefined || cause instanceof GraphQLError || isSafeError(cause);
  return isMeant ? new Problem("invalid_document", { message }) : cause;
}
