import { hash } from "node:crypto";
import type { Context } from "koa";
import { invalidField } from "../errors/problem.ts";
import { timesSent } from "./request.ts";

/** The headers that make a request conditional, and how Node writes them. */
const headers = { "If-Match": "if-match", "If-None-Match": "if-none-match" } as const;
type Condition = keyof typeof headers;
const conditions = ["If-Match", "If-None-Match"] as const satisfies readonly Condition[];

/** RFC 9110, 8.8.3; characters beyond ASCII are obsolete text. */
const TAGS = /(?:W\/)?"[!#-~\x80-\xff]*"/g;
/** `*`, or tags with commas between them; a recipient accepts empty elements (RFC 9110, 5.6.1). */
const LIST = /^(?:\*|\n?(?:,\n?)*)$/;

/**
 * The condition under which a request is carried out.
 *
 * @param supported the one that is looked at; who sends another would believe that it holds
 * @throws Problem 400 for another, and for one that is malformed
 */
export function conditionOf(ctx: Context, supported?: Condition): string | undefined {
  const textOf = (name: Condition) => ctx.headers[headers[name]];
  const other = conditions.find((name) => name !== supported && textOf(name) !== undefined);
  if (other) throw invalidField(other, "is not supported here");
  const condition = supported && textOf(supported);
  if (supported && condition !== undefined && !isList(condition)) {
    throw invalidField(supported, "must be * or quoted tags with commas between them");
  }
  return condition;
}

/** A line break stands for a tag: no header has one. Read so, no list takes long. */
const isList = (text: string): boolean =>
  LIST.test(text.replaceAll(TAGS, "\n").replaceAll(/[ \t]/g, ""));

/**
 * Whether If-None-Match or If-Match has the tag. RFC 9110 wants a strong comparison for If-Match,
 * under which a weak tag equals nothing. But our tag is weak only where a proxy compressed
 * the body: it is still the hash of the same content, and a client behind it has no other.
 */
export function lists(condition: string, tag: string): boolean {
  const tags: readonly string[] = condition.match(/"[^"]*"/g) ?? [];
  return condition.trim() === "*" || tags.includes(tag);
}

/** The ETag of a representation: a hash of its bytes. */
export const entityTag = (body: string | Buffer): string =>
  `"${hash("sha256", body, "base64url")}"`;

/** The caller's own cache may store what was read, so that it has a copy that a 304 can refer to. */
export const REVALIDATED = "private, no-cache";

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
  const tag = entityTag(bytes);
  ctx.body = bytes;
  ctx.set("ETag", tag);
  ctx.vary("Authorization");
  if (isStored) ctx.set("Cache-Control", REVALIDATED);
  if (known !== undefined && lists(known, tag)) ctx.status = 304;
}

/** As `details` names it. */
const IDEMPOTENCY_KEY = "Idempotency-Key";

/** A String of RFC 9651, which the IETF's draft asks for; many clients send the bare characters. */
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/;
const BARE = /^[^"].*$/;
const PRINTABLE = /^[ -~]{1,255}$/;
/** As it is sent: in quotes, and each of its characters after a backslash. */
export const LONGEST_KEY_HEADER = 2 + 2 * 255;

/**
 * The key under which a request is carried out once, however often it is sent
 * (draft-ietf-httpapi-idempotency-key-header).
 *
 * @throws Problem 400 for a key that is malformed or repeated
 */
export function idempotencyKeyOf(ctx: Context): string | undefined {
  const times = timesSent(IDEMPOTENCY_KEY.toLowerCase(), ctx.req);
  if (times === 0) return undefined;
  if (times > 1) throw invalidField(IDEMPOTENCY_KEY, "must be given once");
  const text = ctx.get(IDEMPOTENCY_KEY);
  const key = QUOTED.exec(text)?.[1]?.replaceAll(/\\(["\\])/g, "$1") ?? BARE.exec(text)?.[0] ?? "";
  if (!PRINTABLE.test(key))
    throw invalidField(IDEMPOTENCY_KEY, "must be 1 to 255 printable ASCII characters");
  return key;
}

/** @throws Problem 400 where a request has a key that would be ignored */
export function refuseIdempotencyKey(ctx: Context, complaint: string): void {
  if (timesSent(IDEMPOTENCY_KEY.toLowerCase(), ctx.req) > 0)
    throw invalidField(IDEMPOTENCY_KEY, complaint);
}
