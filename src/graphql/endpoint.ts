import type { GraphQLSchema } from "graphql";
import type { ParameterizedContext } from "koa";
import type { Pool } from "pg";
import type { RuleCatalogue } from "../errors/catalogue.ts";
import { isOutage } from "../errors/outage.ts";
import { Problem } from "../errors/problem.ts";
import { explain } from "../errors/render.ts";
import { isJsonObject } from "../formats.ts";
import { conditionOf, refuseIdempotencyKey } from "../http/conditions.ts";
import { readJsonBody } from "../http/request.ts";
import type { Endpoint } from "../http/router.ts";
import { lazy } from "../lazy.ts";
import type { Logger } from "../log/logger.ts";
import type { RequestState } from "../tokens/identity.ts";
import { formatted, MOST_ERRORS, writeAnswer } from "./answer.ts";
import type { GraphQLRequest } from "./execution/documents.ts";
import type { Perform } from "./execution/execution.ts";

/** Each failed attempt to make the schema takes a second of the processor, and REST needs that. */
const failureLasts = (error: unknown): number => (isOutage(error) ? 0 : 10_000);

export interface GraphQLConfig {
  /** GraphQL's own connections: GraphQL and REST cannot take connections from each other. */
  readonly pool: Pool;
  /** Called once, for the first request. */
  readonly schema: () => Promise<GraphQLSchema>;
  /** Whether clients may read the schema. */
  readonly introspection: boolean;
}

export interface GraphQLParts {
  readonly rules: RuleCatalogue;
  readonly logger: Logger;
  /** Executes mutations. */
  readonly perform: Perform;
  /** Charges the caller more points, in addition to the point for every request. */
  charge(ctx: ParameterizedContext<RequestState>, points: number): Promise<void> | undefined;
}

/**
 * POST /graphql: GraphQL over HTTP, with the rules, limits and messages of REST. The code that
 * executes documents is loaded for the first one, because a service that is used only by REST can
 * save its time and memory.
 */
export function graphqlEndpoint(
  { pool, schema, introspection }: GraphQLConfig,
  { rules, logger, charge, perform }: GraphQLParts,
): Endpoint<RequestState> {
  const prepared = lazy(async () => {
    const { documentChecker } = await import("./execution/documents.ts");
    const { causeOf, executor } = await import("./execution/execution.ts");
    const check = documentChecker(await schema(), introspection);
    return { check, execute: executor(pool, perform), causeOf };
  }, failureLasts);

  return async (ctx) => {
    const { check, execute, causeOf } = await prepared();
    refuseIdempotencyKey(ctx, "is not supported by GraphQL");
    conditionOf(ctx);
    const request = readRequest(await readJsonBody(ctx));
    const checked = check(request);
    ctx.state.graphqlOperation = checked.type;
    if (checked.points > 1) await charge(ctx, checked.points - 1);
    const { identity } = ctx.state;
    const left = new AbortController();
    ctx.res.once("close", () => left.abort());
    const terms = {
      isGone: () => left.signal.aborted,
      charge: (points: number) => charge(ctx, points),
    };
    const { data, errors = [] } = await execute(identity, checked, request, left.signal, terms);

    const shown = errors.slice(0, MOST_ERRORS).map(async (error) => {
      if (data === undefined) throw causeOf(error); // nothing was executed, so the request failed
      const problem = await explain(causeOf(error), ctx, rules, logger);
      ctx.set(problem.headers);
      const { locations, path } = error;
      return formatted(problem, { locations, path });
    });
    writeAnswer(ctx, await Promise.all(shown), data);
  };
}

/**
 * Reads the parameters of a GraphQL request (GraphQL over HTTP, 5.1). A parameter that is null is
 * left out.
 * @throws Problem 400
 */
function readRequest(body: unknown): GraphQLRequest {
  if (Array.isArray(body)) throw malformed("Batches are not served; send one operation");
  if (!isJsonObject(body)) throw malformed("The request body must be a JSON object");
  const { query, operationName, variables, extensions } = body;
  if (typeof query !== "string") throw malformed("query must be a string");
  if (operationName != null && typeof operationName !== "string")
    throw malformed("operationName must be a string");
  if (variables != null && !isJsonObject(variables)) throw malformed("variables must be an object");
  if (extensions != null && !isJsonObject(extensions))
    throw malformed("extensions must be an object");
  return { query, operationName: operationName ?? undefined, variables: variables ?? {} };
}

const malformed = (message: string): Problem => new Problem("validation_failed", { message });
