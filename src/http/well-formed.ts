import type { IncomingMessage } from "node:http";
import type { Context, Middleware } from "koa";
import { Problem } from "../errors/problem.ts";
import { refuseFault } from "./unreadable.ts";

/** A path and a query as RFC 9112, 3.2.1 has them, or nearly: visible ASCII without a fragment. */
const ORIGIN_FORM = /^\/[!"$-~]*$/;

/** What clients send to proxies, and may send to everybody (RFC 9112, 3.2.2). */
const ABSOLUTE_FORM = /^https?:\/\//i;

/** Koa's parser compares each with each: a query of 16 kB would hold everybody up for seconds. */
const MOST_PARAMETERS = 100;

/** What asks for no path asks for this, which no route has. */
const NO_PATH = "*";

/**
 * The path and query of a request's target, before anybody reads it: Koa's parser throws for some of
 * the others, in every middleware and listener that asks for the path.
 */
export function pathOf(target: string): string {
  if (ORIGIN_FORM.test(target)) return target;
  const url = ABSOLUTE_FORM.test(target) ? URL.parse(target) : null;
  return url ? url.pathname + url.search : NO_PATH;
}

/** Refuses what is no request, or one that a proxy may have understood in another way. */
export const refuseMalformed: Middleware = (ctx, next) => {
  const { req } = ctx;
  refuseFault(ctx);
  // Node reads others although they are none.
  if (!["1.0", "1.1"].includes(req.httpVersion)) throw new Problem("malformed_request");
  if (ctx.path === NO_PATH) throw invalid("The request target is neither a path nor a URL");
  if (ctx.querystring.split("&", MOST_PARAMETERS + 1).length > MOST_PARAMETERS)
    throw invalid(`The query has more than ${MOST_PARAMETERS} parameters`);
  // RFC 9112, 3.2. Node keeps the first of two, and a proxy may have used the other.
  const hosts = timesSent("host", req);
  if (hosts > 1) throw invalid("There are several Host headers");
  if (hosts === 0 && req.httpVersion !== "1.0") throw invalid("There is no Host header");
  const expected = expectationOf(req);
  if (expected !== undefined && !/^100-continue$/i.test(expected)) {
    throw new Problem("expectation_failed"); // RFC 9110, 10.1.1
  }
  return next();
};

const invalid = (message: string): Problem => new Problem("validation_failed", { message });

/** Lets a client send the body that it keeps until the rest of the request was judged. */
export function wantBody(ctx: Context): void {
  refuseFault(ctx);
  if (expectationOf(ctx.req) !== undefined) ctx.res.writeContinue();
}

/** HTTP/1.0 has no expectations. */
const expectationOf = ({ httpVersion, headers }: IncomingMessage): string | undefined =>
  httpVersion === "1.1" ? headers.expect : undefined;

/** How often a request has a header. Node's `headersDistinct` would sort all of them for this. */
export function timesSent(header: string, { rawHeaders }: IncomingMessage): number {
  let times = 0;
  // Names and values take turns.
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? "";
    if (name.length === header.length && name.toLowerCase() === header) times += 1;
  }
  return times;
}
