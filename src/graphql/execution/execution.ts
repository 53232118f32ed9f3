import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  OperationTypeNode,
} from "graphql";
import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import type { WithPgClient } from "postgraphile/@dataplan/pg";
import { execute, isSafeError } from "postgraphile/grafast";
import type { RuleCatalogue } from "../../errors/catalogue.ts";
import { Problem } from "../../errors/problem.ts";
import { explain } from "../../errors/render.ts";
import type { Logger } from "../../log/logger.ts";
import type { Identity } from "../../tokens/identity.ts";
import { formatted } from "../answer.ts";
import type { Body } from "../schema/mutations.ts";
import { type CheckedDocument, requirementOf } from "./documents.ts";
import { createQueue } from "./queue.ts";
import { type Outcome, readTransaction, type Suppositions } from "./read-transaction.ts";
import type { GraphQLRequest } from "./request.ts";

export type Execute = (
  caller: Identity,
  checked: CheckedDocument,
  request: GraphQLRequest,
  left: AbortSignal,
) => Promise<ExecutionResult>;

/** Carries out a mutation with the arguments of its route, and returns the body of the answer. */
export type Perform = (
  call: string,
  caller: Identity,
  values: Readonly<Record<string, unknown>>,
  isGone: () => boolean,
) => Promise<string>;

const MOST_ADMINISTRATORS = 1000;

/**
 * Returns the function that executes operations.
 *
 * What it takes from the last time, for a document and for a caller, makes the next time one flight.
 * Where that proves wrong, the operation is executed again, and waits for what it has to know.
 *
 * @param pool the connections of GraphQL. An operation has one at a time, and no more operations run
 *   than there are connections: none waits for one, and a waiting operation holds nothing.
 * @param perform what mutations do
 */
export function executor(pool: Pool, perform: Perform): Execute {
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
        // The mutation needs the connection, and what is read later must see its result.
        await transaction.end();
        return JSON.parse(await perform(call, caller, input, () => left.aborted));
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

/** Calls the SQL function of a route as the route does, and returns the body of its response. */
export type Mutate = (call: string, input: Readonly<Record<string, unknown>>) => Promise<Body>;

/** What the plans of one operation use. */
export interface OperationContext {
  readonly callerId: string;
  readonly mutate: Mutate;
  /** Whether the caller is an administrator, who sees all claims. */
  readonly isAdministrator: () => Promise<boolean>;
  /** PostGraphile's names. The transaction sets the settings, so there are none here. */
  readonly pgSettings: null;
  readonly withPgClient: WithPgClient;
}

declare global {
  namespace Grafast {
    interface Context {
      callerId: OperationContext["callerId"];
      mutate: OperationContext["mutate"];
      isAdministrator: OperationContext["isAdministrator"];
    }
  }
}

/** An error as GraphQL clients read it, and the failure behind it. */
export interface ExplainedError {
  readonly problem: Problem;
  readonly formatted: GraphQLFormattedError;
}

export async function explainError(
  error: unknown,
  { rules, logger }: { readonly rules: RuleCatalogue; readonly logger: Logger },
): Promise<ExplainedError> {
  const problem = ofTheDocument(error) ?? (await explain(causeOf(error), rules, logger));
  return { problem, formatted: formatted(problem, error instanceof GraphQLError ? error : {}) };
}

/** The GraphQLError of a field carries what went wrong below it. */
const causeOf = (error: unknown): unknown =>
  error instanceof GraphQLError ? error.originalError : error;

/** An error about the document, its variables or a cursor has a message for its author. */
function ofTheDocument(error: unknown): Problem | undefined {
  if (!(error instanceof GraphQLError)) return undefined;
  const { originalError: cause, message } = error;
  const isMeant = cause === undefined || cause instanceof GraphQLError || isSafeError(cause);
  return isMeant ? new Problem("invalid_document", { message }) : undefined;
}
