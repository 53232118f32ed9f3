import type { Context } from "koa";
import { invalidField } from "../errors/problem.ts";
import { timesSent } from "./well-formed.ts";

/** As `details` names it. */
const HEADER = "Idempotency-Key";

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
  const times = timesSent(HEADER.toLowerCase(), ctx.req);
  if (times === 0) return undefined;
  if (times > 1) throw invalidField(HEADER, "must be given once");
  const text = ctx.get(HEADER);
  const key = QUOTED.exec(text)?.[1]?.replaceAll(/\\(["\\])/g, "$1") ?? BARE.exec(text)?.[0] ?? "";
  if (!PRINTABLE.test(key))
    throw invalidField(HEADER, "must be 1 to 255 printable ASCII characters");
  return key;
}

/** @throws Problem 400 where a request has a key that would be ignored */
export function refuseIdempotencyKey(ctx: Context, complaint: string): void {
  if (timesSent(HEADER.toLowerCase(), ctx.req) > 0) throw invalidField(HEADER, complaint);
}
