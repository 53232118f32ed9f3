import type { Middleware } from "koa";
import { Problem } from "../errors/problem.ts";
import { timesSent } from "./repeated-headers.ts";

/**
 * Refuses a request without Host, and one with two (RFC 9112, 3.2): Node keeps the first, and a proxy
 * may have used the other. Only HTTP/1.0 has no Host.
 */
export const oneHost: Middleware = (ctx, next) => {
  const times = timesSent("host", ctx.req);
  if (times > 1) throw invalid("There are several Host headers");
  if (times === 0 && ctx.req.httpVersion !== "1.0") throw invalid("There is no Host header");
  return next();
};

const invalid = (message: string): Problem => new Problem("validation_failed", { message });
