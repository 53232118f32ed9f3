import { hash } from "node:crypto";
import type { Middleware } from "koa";

/** The usual Cache-Control: an answer is for its caller only, and no cache stores it. */
export const NEVER_STORED = "private, no-store";

/**
 * The caller's own cache may store what was read, if it revalidates on every use: with `no-store`
 * it would have no copy that a 304 could refer to. The answer depends on Authorization.
 *
 * Koa's `ctx.fresh` is not used: it sends the whole body to a request with `Cache-Control:
 * no-cache`, which fetch() adds to every request for which a script sets If-None-Match.
 */
export const revalidated: Middleware = async (ctx, next) => {
  await next();
  const isRead = ctx.method === "GET" || ctx.method === "HEAD";
  if (!isRead || typeof ctx.body !== "string") return;

  const tag = tagOf(ctx.body);
  ctx.set({ "Cache-Control": "private, no-cache", ETag: tag });
  ctx.vary("Authorization");
  if (lists(ctx.get("If-None-Match"), tag)) ctx.status = 304;
};

/** The tag of a representation: a hash of its bytes. */
export const tagOf = (body: string): string => `"${hash("sha256", body, "base64url")}"`;

/**
 * Whether If-None-Match or If-Match has the tag. RFC 9110 wants a strong comparison for If-Match,
 * under which a weak tag equals nothing. But our tag is weak only where a proxy compressed
 * the body: it is still the hash of the same content, and a client behind it has no other.
 */
export function lists(condition: string, tag: string): boolean {
  const tags: readonly string[] = condition.match(/"[^"]*"/g) ?? [];
  return condition.trim() === "*" || tags.includes(tag);
}
