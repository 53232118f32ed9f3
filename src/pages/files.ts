import { readFileSync } from "node:fs";
import { extname } from "node:path";
import Router from "@koa/router";
import { assetOf, send } from "../http/asset.ts";

/** A file beside this module. */
export const ourFile = (path: string): string =>
  readFileSync(new URL(path, import.meta.url), "utf8");

/**
 * Serves the files of a page, by what follows its path. Caches revalidate on every use, so that an
 * upgrade replaces all files at once.
 */
export function routesOfFiles(
  path: string,
  files: Readonly<Record<string, string | Buffer>>,
  headersOf: (name: string) => Readonly<Record<string, string>>,
): Router {
  const router = new Router({ sensitive: true, strict: true });
  for (const [name, content] of Object.entries(files)) {
    const asset = assetOf(content, extname(name) || "html");
    router.get(path + name, (ctx) => {
      ctx.set(headersOf(name));
      return send(ctx, asset, "revalidated");
    });
  }
  return router;
}
