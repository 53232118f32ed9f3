import type { Middleware } from "koa";
import type { Pool } from "pg";
import { refuseIfOverloaded } from "../database/connection.ts";

/** Refuses a request before any work is done for it, where it would be refused after that work. */
export const refuseOverload =
  (pool: Pool, basePath: string): Middleware =>
  (ctx, next) => {
    // GraphQL limits what waits for its own connections.
    const isRest = ctx.path.startsWith(`${basePath}/`) && ctx.path !== `${basePath}/graphql`;
    if (isRest) refuseIfOverloaded(pool);
    return next();
  };
