import type { Middleware } from "koa";
import { madeOnce } from "../made-once.ts";
import { isScreen } from "../web/addresses.ts";
import { send } from "./web/asset.ts";
import { buildSite, type WebSettings } from "./web/site.ts";

/** A name with a hash. It has one segment, as the screens have: the paths of the API have two or more. */
const isAsset = (path: string): boolean => /^\/\w+\.[A-Z0-9]{8}\.\w+$/.test(path);

/** The page for the people of the building, at / and at the address of each screen. */
export function webPage(settings: WebSettings): Middleware {
  // Built for the first visitor: the start need not wait for it.
  const site = madeOnce(() => buildSite(settings));
  return async (ctx, next) => {
    if (ctx.method !== "GET" && ctx.method !== "HEAD") return next();
    if (isScreen(ctx.path)) {
      const { index, policy } = await site();
      ctx.set("Content-Security-Policy", policy);
      return send(ctx, index, "revalidated");
    }
    const asset = isAsset(ctx.path) ? (await site()).assets.get(ctx.path) : undefined;
    return asset === undefined ? next() : send(ctx, asset, "immutable");
  };
}
