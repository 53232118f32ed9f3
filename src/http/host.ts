import type { Middleware } from "koa";
import { Problem } from "../errors/problem.ts";

/**
 * Refuses a request with two Host headers (RFC 9112, 3.2): Node keeps the first, and a proxy may
 * have used the other.
 */
export const oneHost: Middleware = async (ctx, next) => {
  if ((ctx.req.headersDistinct.host?.length ?? 0) > 1) {
    throw new Problem("validation_failed", { message: "There are several Host headers" });
  }
  await next();
};
