import { hash } from "node:crypto";
import { extname } from "node:path";
import { type Asset, assetOf } from "../http/asset.ts";
import { type BuiltFile, bundle } from "./bundle.ts";
import { ourFile } from "./files.ts";
import { type Language, manifestOf } from "./manifest.ts";

/** The files that contain the building's name. */
interface Greeting {
  readonly index: Readonly<Record<Language, Asset>>;
  readonly manifest: Readonly<Record<Language, Asset>>;
  readonly worker: Asset;
}

/** All files that a browser can request for the page. */
export interface Site {
  /**
   * @param greeting the name, mark and colour of the building, as JSON. The browser reads it from
   *   the index.
   */
  readonly greeting: (greeting: string) => Greeting;
  /** The index contains these, so that it does not wait for a second answer. */
  readonly inline: { readonly script: string; readonly style: string };
  /** By path. A name contains a hash of the file's content. */
  readonly assets: ReadonlyMap<string, Asset>;
}

const attributeOf = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

/**
 * @param settings what the page must know about the service. The browser reads it from the index.
 */
export async function buildSite(settings: object): Promise<Site> {
  const files = await bundle();
  const pathOf = (name: RegExp): string =>
    `/${[...files.keys()].find((it) => name.test(it)) ?? ""}`;
  const values: Readonly<Record<string, string>> = {
    settings: attributeOf(JSON.stringify(settings)),
    page: pathOf(/^main\.\w+\.js$/),
    icon: pathOf(/^icon\.\w+\.svg$/),
    touchIcon: pathOf(/^touch\.\w+\.png$/),
  };
  const template = ourFile("../web/index.html");
  const {
    "service-worker.js": worker,
    "begin.js": begin,
    "all.css": all,
    ...others
  } = Object.fromEntries(files);
  const languages = neededBy(files, [/^(en|de)\.\w+\.js$/]).map((it) => `/${it}`);
  const inline = { script: String(begin?.content).trim(), style: String(all?.content).trim() };

  function write(greeting: string): Greeting {
    const index = (language: Language, version = ""): string => {
      const chunks = neededBy(files, [/^main\./, new RegExp(`^${language}\\.\\w+\\.js$`)]);
      const preloads = chunks.map((it) => `<link rel="modulepreload" href="/${it}">`).join("\n");
      const texts: Readonly<Record<string, string>> = {
        ...values,
        preloads,
        script: `<script>${inline.script}</script>`,
        style: `<style>${inline.style}</style>`,
        greeting: attributeOf(greeting),
        version,
      };
      return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => texts[name] ?? "");
    };
    const manifest = (language: Language): string =>
      manifestOf(language, JSON.parse(greeting), pathOf);
    const all = index("en") + manifest("en") + [...files.keys()].join();
    const version = hash("sha256", all, "base64url").slice(0, 12);
    return {
      index: {
        en: assetOf(index("en", version), "html"),
        de: assetOf(index("de", version), "html"),
      },
      manifest: {
        en: assetOf(manifest("en"), "webmanifest"),
        de: assetOf(manifest("de"), "webmanifest"),
      },
      worker: assetOf(
        `const VERSION="${version}",LANGUAGES=${JSON.stringify(languages)};${worker?.content}`,
        "js",
      ),
    };
  }

  // The last result is kept, because compressing it takes longer than reading the greeting.
  let last: { readonly of: string; readonly written: Greeting } | undefined;
  return {
    inline,
    greeting(greeting) {
      if (last?.of !== greeting) last = { of: greeting, written: write(greeting) };
      return last.written;
    },
    assets: new Map(
      Object.entries(others).map(([name, { content }]) => [
        `/${name}`,
        assetOf(content, extname(name)),
      ]),
    ),
  };
}

/**
 * The files that a browser needs before it can show anything. The index names them, so they load at
 * once. Otherwise the browser would find each of them only in the one before.
 */
function neededBy(files: ReadonlyMap<string, BuiltFile>, first: readonly RegExp[]): string[] {
  const needed = new Set(
    [...files.keys()].filter((it) => it.endsWith(".js") && first.some((name) => name.test(it))),
  );
  // A Set also visits elements that are added during the loop.
  for (const name of needed) for (const next of files.get(name)?.needs ?? []) needed.add(next);
  return [...needed];
}
