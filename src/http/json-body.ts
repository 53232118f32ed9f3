import type { Context } from "koa";
import getRawBody from "raw-body";
import { Problem } from "../errors/problem.ts";
import { wantBody } from "./well-formed.ts";

const LARGEST_BODY = 100 * 1024;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/**
 * The JSON of a request; an empty object where it has no body.
 * @throws Problem 415 (not JSON, not UTF-8, or compressed), 413 (too large), 400 (incomplete, not UTF-8, not JSON)
 */
export async function readJsonBody(ctx: Context, largest = LARGEST_BODY): Promise<unknown> {
  if (ctx.is() === null || ctx.request.length === 0) return {};
  if (!ctx.is("application/json")) throw new Problem("unsupported_media_type");
  if (!/^(?:utf-?8)?$/i.test(ctx.request.charset)) {
    throw new Problem("unsupported_media_type", { message: "The request body must be in UTF-8" });
  }
  if ((ctx.get("Content-Encoding") || "identity") !== "identity") {
    throw new Problem("unsupported_media_type", {
      message: "The request body must not be compressed",
    });
  }
  const bytes = await readBytes(ctx, largest);
  if (bytes.length === 0) return {};
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (cause) {
    throw new Problem("invalid_json", { cause });
  }
}

async function readBytes(ctx: Context, largest: number): Promise<Buffer> {
  if ((ctx.request.length ?? 0) <= largest) wantBody(ctx);
  try {
    return await getRawBody(ctx.req, { length: ctx.request.length ?? null, limit: largest });
  } catch (cause) {
    if (!(cause instanceof Error && "type" in cause)) throw cause;
    if (cause.type !== "entity.too.large") throw new Problem("incomplete_body", { cause });
    // The rest of the body is not read, so the connection cannot be used again.
    throw new Problem("body_too_large", {
      message: `The request body is larger than ${Math.trunc(largest / 1024)} kB`,
      headers: { Connection: "close" },
      cause,
    });
  }
}
