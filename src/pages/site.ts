import { hash } from "node:crypto";
import { extname } from "node:path";
import { type Asset, assetOf } from "../http/asset.ts";
import { type BuiltFile, bundle } from "./bundle.ts";
import { ourFile } from "./files.ts";
import { type Language, manifestOf } from "./manifest.ts";

/** Everything that a browser can ask of the page. */
export interface Site {
  readonly index: Readonly<Record<Language, Asset>>;
  readonly manifest: Readonly<Record<Language, Asset>>;
  readonly worker: Asset;
  /** By path. Their names have a hash of their content. */
  readonly assets: ReadonlyMap<string, Asset>;
}

/** @param settings what the page has to know of the service. The browser reads it from the index. */
export async function buildSite(settings: object): Promise<Site> {
  const files = await bundle();
  const pathOf = (name: RegExp): string =>
    `/${[...files.keys()].find((it) => name.test(it)) ?? ""}`;
  const values: Readonly<Record<string, string>> = {
    settings: JSON.stringify(settings).replaceAll("&", "&amp;").replaceAll('"', "&quot;"),
    page: pathOf(/^main\.\w+\.js$/),
    style: pathOf(/^all\.\w+\.css$/),
    icon: pathOf(/^icon\.\w+\.svg$/),
    touchIcon: pathOf(/^touch\.\w+\.png$/),
  };
  const index = (language: Language): string => {
    const chunks = neededBy(files, [/^main\./, new RegExp(`^${language}\\.\\w+\\.js$`)]);
    const preloads = chunks.map((it) => `<link rel="modulepreload" href="/${it}">`).join("\n");
    return ourFile("../web/index.html").replace(
      /\{\{(\w+)\}\}/g,
      (_, name: string) => ({ ...values, preloads })[name] ?? "",
    );
  };
  const manifest = (language: Language): string => manifestOf(language, pathOf);
  const { "service-worker.js": worker, ...others } = Object.fromEntries(files);
  const version = hash("sha256", index("en") + manifest("en") + [...files.keys()].join(), "hex");
  return {
    index: { en: assetOf(index("en"), "html"), de: assetOf(index("de"), "html") },
    manifest: {
      en: assetOf(manifest("en"), "webmanifest"),
      de: assetOf(manifest("de"), "webmanifest"),
    },
    worker: assetOf(`const VERSION="${version}";${worker?.content}`, "js"),
    assets: new Map(
      Object.entries(others).map(([name, { content }]) => [
        `/${name}`,
        assetOf(content, extname(name)),
      ]),
    ),
  };
}

/**
 * What a browser loads before it can show anything. Named in the index, they come at once; otherwise
 * it would find each of them only in the one before.
 */
function neededBy(files: ReadonlyMap<string, BuiltFile>, first: readonly RegExp[]): string[] {
  const needed = new Set(
    [...files.keys()].filter((it) => it.endsWith(".js") && first.some((name) => name.test(it))),
  );
  // A Set also visits what is added meanwhile.
  for (const name of needed) for (const next of files.get(name)?.needs ?? []) needed.add(next);
  return [...needed];
}
