import type { Middleware } from "koa";
import { isAsset, isPage } from "../addresses.ts";
import { serviceUnavailable } from "../errors/problem.ts";
import { languageOf } from "../errors/render.ts";
import { type Asset, send } from "../http/asset.ts";
import { webPolicy, workerPolicy } from "./policy.ts";
import { siteOf } from "./site.ts";

/** What the page must know about the service. The browser reads it from the index. */
export interface WebSettings {
  readonly basePath: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: string;
  readonly audience?: string | undefined;
  readonly resource?: string | undefined;
  /** Set where people sign in by mail, with passkeys in the profile. */
  readonly signIn?: "mail";
}

/**
 * The page at / and at the address of each screen. At any other address it says that there is no
 * such screen, so that people who mistype one can continue there.
 * @param greeting what people see of the building before they sign in, as JSON
 * @param ofOthers the files of other versions, by path
 */
export function webPage(
  settings: WebSettings,
  greeting: () => Promise<string | undefined>,
  ofOthers: (path: string) => Promise<Asset | undefined>,
): Middleware {
  const site = siteOf(settings);
  const policy = webPolicy(new URL(settings.issuer).origin, site.inline);
  return async (ctx, next) => {
    if (ctx.method !== "GET" && ctx.method !== "HEAD") return next();
    if (isAsset(ctx.path)) {
      const asset = site.assets.get(ctx.path) ?? (await ofOthers(ctx.path));
      if (asset !== undefined) return send(ctx, asset, "immutable");
    }
    const isWorker = ctx.path === "/service-worker.js";
    const isManifest = ctx.path === "/manifest.webmanifest";
    const isFile = isWorker || isManifest || isPage(ctx.path);
    if (!isFile && ctx.accepts("json", "html") !== "html") return next();

    const known = await greeting();
    // Otherwise browsers would keep a page without the building's name as a separate version.
    if (isWorker && known === undefined) throw serviceUnavailable();
    const { worker, manifest, index } = site.greeting(known ?? "{}");
    if (isWorker) {
      ctx.set("Content-Security-Policy", workerPolicy);
      return send(ctx, worker, "revalidated");
    }
    const language = languageOf(ctx);
    if (isManifest) return send(ctx, manifest[language], "revalidated");
    ctx.set("Content-Security-Policy", policy);
    await send(ctx, index[language], "revalidated");
    if (!isPage(ctx.path) && ctx.status === 200) ctx.status = 404;
  };
}
