import type { RouterContext } from "@koa/router";
import type { ExecutionResult, GraphQLSchema } from "graphql";
import type { ParameterizedContext } from "koa";
import type { Pool } from "pg";
import type { RuleCatalogue } from "../errors/catalogue.ts";
import { codeHeader } from "../errors/problem.ts";
import { report } from "../errors/render.ts";
import { conditionOf } from "../http/conditions.ts";
import { refuseIdempotencyKey } from "../http/idempotency-key.ts";
import { readJsonBody } from "../http/json-body.ts";
import type { Logger } from "../log/logger.ts";
import { madeOnce } from "../made-once.ts";
import type { RequestState } from "../tokens/identity.ts";
import { writeAnswer } from "./answer.ts";
import { documentChecker, MOST_ERRORS } from "./execution/documents.ts";
import { executor, explainError, type Perform } from "./execution/execution.ts";
import { readRequest } from "./execution/request.ts";

export interface GraphQLConfig {
  /** GraphQL's own connections: neither it nor REST can take the other's. */
  readonly pool: Pool;
  /** Called once, for the first request. */
  readonly schema: () => Promise<GraphQLSchema>;
  /** Whether clients may read the schema. */
  readonly introspection: boolean;
}

export interface GraphQLParts {
  readonly rules: RuleCatalogue;
  readonly logger: Logger;
  /** What mutations do. */
  readonly perform: Perform;
  /** Charges the caller more points, in addition to the one for every request. */
  charge(ctx: ParameterizedContext<RequestState>, points: number): Promise<void> | undefined;
}

/** POST /graphql: GraphQL over HTTP, with REST's rules, limits and messages. */
export function graphqlEndpoint(
  { pool, schema, introspection }: GraphQLConfig,
  parts: GraphQLParts,
) {
  const prepared = madeOnce(async () => {
    const check = documentChecker(await schema(), introspection);
    return { check, execute: executor(pool, parts.perform) };
  });

  async function answer(ctx: RouterContext<RequestState>): Promise<ExecutionResult> {
    refuseIdempotencyKey(ctx);
    conditionOf(ctx);
    const { check, execute } = await prepared();
    const request = readRequest(await readJsonBody(ctx));
    const checked = check(request);
    ctx.state.graphqlOperation = checked.type;
    if (checked.points > 1) await parts.charge(ctx, checked.points - 1);
    return execute(ctx.state.identity, checked, request, whenClosed(ctx));
  }

  return async (ctx: RouterContext<RequestState>): Promise<void> => {
    const { data, errors = [] } = await answer(ctx).catch(asRequestErrors);
    const explained = await Promise.all(
      errors.slice(0, MOST_ERRORS).map((error) => explainError(error, parts)),
    );
    for (const { problem } of explained) {
      report(problem, ctx, parts.logger);
      ctx.set(problem.headers);
    }
    const [first] = explained;
    if (data === undefined && first) ctx.set(codeHeader(first.problem));
    // Without data nothing was executed, and the request failed. Otherwise only fields failed.
    ctx.status = data === undefined ? (first?.problem.status ?? 500) : 200;
    const shown = explained.map(({ formatted }) => formatted);
    writeAnswer(ctx, shown, data);
  };
}

/** What was thrown before the operation was executed. */
const asRequestErrors = (error: unknown): { data?: undefined; errors: readonly unknown[] } => ({
  errors: error instanceof AggregateError ? error.errors : [error],
});

/** Aborted when the connection of the request is closed. */
function whenClosed({ res }: RouterContext): AbortSignal {
  const left = new AbortController();
  res.once("close", () => left.abort());
  return left.signal;
}
