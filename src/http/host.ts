import type { Middleware } from "koa";
import { Problem } from "../errors/problem.ts";
import { timesSent } from "./repeated-headers.ts";

/**
 * Refuses a request with two Host headers (RFC 9112, 3.2): Node keeps the first, and a proxy may
 * have used the other.
 */
export const oneHost: Middleware = (ctx, next) => {
  if (timesSent("host", ctx.req) > 1) {
    throw new Problem("validation_failed", { message: "There are several Host headers" });
  }
  return next();
};
