import type { Middleware } from "koa";
import type { Replica } from "../database/replica.ts";
import type { RequestState } from "../tokens/identity.ts";

/**
 * Notes who may have written, so that they read it. That is everything but a GET: GraphQL's queries
 * too, for which it costs little. GET /profile keeps what a token says about the caller.
 */
export const noteWrites =
  ({ write }: Replica, basePath: string): Middleware<RequestState> =>
  (ctx, next) => {
    const mayWrite = ctx.method !== "GET" && ctx.method !== "HEAD";
    return mayWrite || ctx.path === `${basePath}/profile`
      ? write(ctx.state.identity.sub, next)
      : next();
  };
