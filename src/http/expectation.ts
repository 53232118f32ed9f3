import type { Context, Middleware } from "koa";
import { Problem } from "../errors/problem.ts";
import { refuseFault } from "./unreadable.ts";

/** Refuses what is expected besides 100-continue (RFC 9110, 10.1.1). HTTP/1.0 has no expectations. */
export const knownExpectation: Middleware = (ctx, next) => {
  const expected = expectationOf(ctx);
  if (expected !== undefined && !/^100-continue$/i.test(expected)) {
    throw new Problem("expectation_failed");
  }
  return next();
};

/** Lets a client send the body that it keeps until the rest of the request was judged. */
export function wantBody(ctx: Context): void {
  refuseFault(ctx);
  if (expectationOf(ctx) !== undefined) ctx.res.writeContinue();
}

const expectationOf = ({ req }: Context): string | undefined =>
  req.httpVersion === "1.1" ? req.headers.expect : undefined;
