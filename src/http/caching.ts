import { hash } from "node:crypto";
import type { Middleware } from "koa";

/** Unless a route says otherwise, its answer is for the caller alone, and kept by nobody. */
export const neverStored: Middleware = async (ctx, next) => {
  ctx.set("Cache-Control", "private, no-store");
  await next();
};

/**
 * What was read may be kept by the reader's own cache, if it asks each time whether that still
 * holds: `no-store` would leave it no copy for a 304 to refer to. Under another Authorization the
 * same address answers otherwise.
 *
 * Koa's `ctx.fresh` is not used: it takes a request's `Cache-Control: no-cache` for a wish to get
 * the whole body, and fetch() adds that to every request to which a script gives If-None-Match.
 */
export const revalidated: Middleware = async (ctx, next) => {
  await next();
  const isRead = ctx.method === "GET" || ctx.method === "HEAD";
  if (!isRead || typeof ctx.body !== "string") return;

  const tag = `"${hash("sha256", ctx.body, "base64url")}"`;
  ctx.set({ "Cache-Control": "private, no-cache", ETag: tag });
  ctx.vary("Authorization");
  if (lists(ctx.get("If-None-Match"), tag)) ctx.status = 304;
};

/** Compares weakly, as RFC 9110, 13.1.2 wants it: a proxy that compresses makes our tag weak. */
function lists(ifNoneMatch: string, tag: string): boolean {
  const tags: readonly string[] = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return ifNoneMatch.trim() === "*" || tags.includes(tag);
}
