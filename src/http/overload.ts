import type { Middleware } from "koa";
import type { Pool } from "pg";
import { isOverloaded } from "../database/connection.ts";
import { overloaded } from "../errors/problem.ts";

/** Refuses a request before any work is done for it, where it would be refused after that work. */
export const refuseOverload =
  (pool: Pool, basePath: string): Middleware =>
  async (ctx, next) => {
    // GraphQL limits what waits for its own connections.
    const usesPool = ctx.path.startsWith(`${basePath}/`) && ctx.path !== `${basePath}/graphql`;
    if (usesPool && isOverloaded(pool)) throw overloaded("too many requests wait for a connection");
    await next();
  };
