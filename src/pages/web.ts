import type { Middleware } from "koa";
import { send } from "../http/asset.ts";
import { lazy } from "../lazy.ts";
import { isScreen } from "../web/addresses.ts";
import { buildSite, type WebSettings } from "./web/site.ts";

/** A name with a hash. It has one segment, as the screens have: the paths of the API have two or more. */
const isAsset = (path: string): boolean => /^\/\w+\.[A-Z0-9]{8}\.\w+$/.test(path);

/**
 * The page for the people of the building, at / and at the address of each screen. At any other
 * address it says that there is no such screen: a person who mistypes one can go on from there.
 */
export function webPage(settings: WebSettings): Middleware {
  // Built for the first visitor: the start need not wait for it.
  const site = lazy(() => buildSite(settings));
  return async (ctx, next) => {
    if (ctx.method !== "GET" && ctx.method !== "HEAD") return next();
    const asset = isAsset(ctx.path) ? (await site()).assets.get(ctx.path) : undefined;
    if (asset !== undefined) return send(ctx, asset, "immutable");
    if (!isScreen(ctx.path) && ctx.accepts("json", "html") !== "html") return next();

    const { index, policy } = await site();
    ctx.set("Content-Security-Policy", policy);
    await send(ctx, index, "revalidated");
    if (!isScreen(ctx.path) && ctx.status === 200) ctx.status = 404;
  };
}
