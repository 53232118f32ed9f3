import type { RouterContext } from "@koa/router";
import type { RequestState } from "../tokens/identity.ts";
import type { GraphQLConfig, GraphQLParts } from "./endpoint.ts";

/**
 * POST /graphql, loaded for the first request: it takes time and memory that a service does
 * without while it is asked in REST only.
 */
export function graphqlWhenUsed(config: GraphQLConfig, parts: GraphQLParts) {
  const load = async () => (await import("./endpoint.ts")).graphqlEndpoint(config, parts);
  let loaded: ReturnType<typeof load> | undefined;

  return async (ctx: RouterContext<RequestState>): Promise<void> => {
    loaded ??= load();
    const answer = await loaded;
    await answer(ctx);
  };
}
