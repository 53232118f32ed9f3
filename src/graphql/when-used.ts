import type { RouterContext } from "@koa/router";
import { lazy } from "../lazy.ts";
import type { RequestState } from "../tokens/identity.ts";
import type { GraphQLConfig, GraphQLParts } from "./endpoint.ts";

/**
 * POST /graphql, loaded for the first request: it takes time and memory that a service does
 * without while it is asked in REST only.
 */
export function graphqlWhenUsed(config: GraphQLConfig, parts: GraphQLParts) {
  const endpoint = lazy(async () => (await import("./endpoint.ts")).graphqlEndpoint(config, parts));

  return async (ctx: RouterContext<RequestState>): Promise<void> => {
    const answer = await endpoint();
    await answer(ctx);
  };
}
