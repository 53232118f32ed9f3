import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Context } from "koa";
import { entityTag, lists } from "./conditions.ts";

/** Something to send, in the form that the browser prefers. */
export interface Asset {
  readonly body: Buffer;
  readonly type: string;
  readonly tag: string;
  /** Compressed at the first request for it, and kept. */
  readonly compressed: Map<Encoding, Promise<Buffer>>;
}

const encodings = ["br", "gzip"] as const;
type Encoding = (typeof encodings)[number];

const compress: Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>> = {
  // At the highest quality, 11, the first visitor would wait for seconds.
  br: (body) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (body) => promisify(gzip)(body, { level: 9 }),
};

export function assetOf(content: string | Buffer, type: string): Asset {
  const body = typeof content === "string" ? Buffer.from(content) : content;
  return { body, type, tag: entityTag(body), compressed: new Map() };
}

/** Answers with the asset. What has its content in its address never changes. */
export async function send(ctx: Context, asset: Asset, lifetime: "immutable" | "revalidated") {
  ctx.type = asset.type;
  ctx.vary("Accept-Encoding");
  ctx.etag = `W/${asset.tag}`; // weak: the compressed forms have the same
  const immutable = "public, max-age=31536000, immutable";
  ctx.set("Cache-Control", lifetime === "immutable" ? immutable : "no-cache");
  ctx.status = 200;
  if (lists(ctx.get("If-None-Match"), asset.tag)) {
    ctx.status = 304;
    return;
  }
  const encoding = encodings.find((one) => one === ctx.acceptsEncodings(...encodings, "identity"));
  if (encoding === undefined) {
    ctx.body = asset.body;
    return;
  }
  ctx.set("Content-Encoding", encoding);
  const compressed = asset.compressed.get(encoding) ?? compress[encoding](asset.body);
  asset.compressed.set(encoding, compressed);
  ctx.body = await compressed;
}
