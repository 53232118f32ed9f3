import { hash } from "node:crypto";
import type { Context } from "koa";
import { lists } from "./conditions.ts";

/** The usual Cache-Control: an answer is for its caller only, and no cache stores it. */
export const NEVER_STORED = "private, no-store";

/** The caller's own cache may store what was read, so that it has a copy that a 304 can refer to. */
const REVALIDATED = "private, no-cache";

/**
 * Names what was read by a tag, and spares those who know it the rest. The answer depends on
 * Authorization.
 *
 * Koa's `ctx.fresh` is not used: it sends the whole body to a request with `Cache-Control:
 * no-cache`, which fetch() adds to every request for which a script sets If-None-Match.
 *
 * @param known the tags of If-None-Match
 */
export function answerRead(
  ctx: Context,
  body: string,
  { known, isStored }: { readonly known: string | undefined; readonly isStored: boolean },
): void {
  const bytes = Buffer.from(body); // once, and not for the tag, the length and the socket each
  const tag = tagOf(bytes);
  ctx.body = bytes;
  ctx.set("ETag", tag);
  ctx.vary("Authorization");
  if (isStored) ctx.set("Cache-Control", REVALIDATED);
  if (known !== undefined && lists(known, tag)) ctx.status = 304;
}

/** The tag of a representation: a hash of its bytes. */
export const tagOf = (body: string | Buffer): string => `"${hash("sha256", body, "base64url")}"`;
