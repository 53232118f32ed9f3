import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { assetOf, send } from "../http/asset.ts";
import type { Entry } from "../http/router.ts";

/** A file beside this module. */
export const ourFile = (path: string): string =>
  readFileSync(new URL(path, import.meta.url), "utf8");

/**
 * Serves the files of a page, by the rest of the path. Caches revalidate on every use, so that an
 * upgrade replaces all files at once.
 */
export function routesOfFiles(
  path: string,
  files: Readonly<Record<string, string | Buffer>>,
  headersOf: (name: string) => Readonly<Record<string, string>>,
): readonly Entry[] {
  return Object.entries(files).map(([name, content]) => {
    const asset = assetOf(content, extname(name) || "html");
    return {
      method: "GET",
      path: path + name,
      answer(ctx) {
        ctx.set(headersOf(name));
        return send(ctx, asset, "revalidated");
      },
    };
  });
}
