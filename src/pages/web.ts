import { extname } from "node:path";
import type { Middleware } from "koa";
import { type Asset, assetOf, send } from "../http/asset.ts";
import { lazy } from "../lazy.ts";
import { isPage } from "../web/addresses.ts";
import { ourFile } from "./files.ts";
import { webPolicy } from "./policy.ts";

/** What the page has to know of the service. The browser reads it from the index. */
export interface WebSettings {
  readonly basePath: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: string;
  readonly audience?: string | undefined;
  readonly resource?: string | undefined;
}

/** A name with a hash. It has one segment, as the screens have: the paths of the API have two or more. */
const isAsset = (path: string): boolean => /^\/[\w.]+\.[A-Z0-9]{8}\.\w+$/.test(path);

/**
 * The page for the people of the building, at / and at the address of each screen. At any other
 * address it says that there is no such screen: a person who mistypes one can go on from there.
 */
export function webPage(settings: WebSettings): Middleware {
  // Built for the first visitor: the start need not wait for it.
  const site = lazy(() => buildSite(settings));
  const policy = webPolicy(new URL(settings.issuer).origin);
  return async (ctx, next) => {
    if (ctx.method !== "GET" && ctx.method !== "HEAD") return next();
    const asset = isAsset(ctx.path) ? (await site()).assets.get(ctx.path) : undefined;
    if (asset !== undefined) return send(ctx, asset, "immutable");
    if (!isPage(ctx.path) && ctx.accepts("json", "html") !== "html") return next();

    ctx.set("Content-Security-Policy", policy);
    await send(ctx, (await site()).index, "revalidated");
    if (!isPage(ctx.path) && ctx.status === 200) ctx.status = 404;
  };
}

/** Everything that a browser can ask of the page. */
interface Site {
  readonly index: Asset;
  /** By path. */
  readonly assets: ReadonlyMap<string, Asset>;
}

async function buildSite(settings: WebSettings): Promise<Site> {
  // Loaded here, so that a service without the page has no part of the bundler in memory.
  const { bundle } = await import("./bundle.ts");
  const files = [...(await bundle())];
  const pathOf = (name: RegExp): string => `/${files.find(([it]) => name.test(it))?.[0]}`;
  const values: Readonly<Record<string, string>> = {
    settings: JSON.stringify(settings).replaceAll("&", "&amp;").replaceAll('"', "&quot;"),
    page: pathOf(/^main\.\w+\.js$/),
    style: pathOf(/^all\.\w+\.css$/),
    icon: pathOf(/^icon\.\w+\.svg$/),
  };
  const index = ourFile("../web/index.html").replace(
    /\{\{(\w+)\}\}/g,
    (_, name: string) => values[name] ?? "",
  );
  return {
    index: assetOf(index, "html"),
    assets: new Map(files.map(([name, text]) => [`/${name}`, assetOf(text, extname(name))])),
  };
}
