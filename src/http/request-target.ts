import type { RequestListener } from "node:http";
import type { Middleware } from "koa";
import { Problem } from "../errors/problem.ts";

/** A path and a query as RFC 9112, 3.2.1 has them, or nearly: visible ASCII without a fragment. */
const ORIGIN_FORM = /^\/[!"$-~]*$/;

/** What clients send to proxies, and may send to everybody (RFC 9112, 3.2.2). */
const ABSOLUTE_FORM = /^https?:\/\//i;

/** What asks for no path asks for this, which no route has. */
const NO_PATH = "*";

/**
 * Turns the target of each request into its path and query before anybody reads it: Koa's parser
 * throws for some of the others, in every middleware and listener that asks for the path.
 */
export const withPath =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    request.url = pathOf(request.url ?? "");
    listener(request, response);
  };

function pathOf(target: string): string {
  if (ORIGIN_FORM.test(target)) return target;
  const url = ABSOLUTE_FORM.test(target) ? URL.parse(target) : null;
  return url ? url.pathname + url.search : NO_PATH;
}

/** Refuses what asks for no path. */
export const somePath: Middleware = (ctx, next) => {
  if (ctx.path === NO_PATH) {
    const message = "The request target is neither a path nor a URL";
    throw new Problem("validation_failed", { message });
  }
  return next();
};
