import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Middleware } from "koa";

type Headers = Readonly<Record<string, string>>;

/** A file beside this module. */
export const ourFile = (path: string): string =>
  readFileSync(new URL(path, import.meta.url), "utf8");

/** Caches revalidate on every use, so that an upgrade replaces all files at once. */
export function file(type: string, body: string | Buffer, headers: Headers): Middleware {
  const etag = hash("sha256", body, "base64url");
  return (ctx) => {
    ctx.body = body;
    ctx.type = type;
    ctx.etag = etag;
    ctx.set({ "Cache-Control": "no-cache", ...headers });
    if (ctx.fresh) ctx.status = 304;
  };
}
