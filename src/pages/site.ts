import { hash } from "node:crypto";
import { extname } from "node:path";
import { assetOf } from "../http/asset.ts";
import type { Language } from "../texts/kinds.ts";
import { type Build, filesOf, requireBuild } from "./dist.ts";
import { manifestOf } from "./manifest.ts";

const attributeOf = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

/**
 * All files that a browser can request for the page.
 * @param settings what the page must know about the service. The browser reads it from the index.
 * @throws OperatorError if there is no page of these sources
 */
export function siteOf(settings: object) {
  const build = requireBuild();
  const names = Object.keys(build.files);
  const pathOf = (name: RegExp): string => `/${names.find((it) => name.test(it)) ?? ""}`;
  const values: Readonly<Record<string, string>> = {
    settings: attributeOf(JSON.stringify(settings)),
    page: pathOf(/^main\.\w+\.js$/),
    icon: pathOf(/^icon\.\w+\.svg$/),
    touchIcon: pathOf(/^touch\.\w+\.png$/),
  };
  const languages = neededBy(build, [/^(en|de)\.\w+\.js$/]).map((it) => `/${it}`);

  /** The files that contain the building's name. */
  function write(greeting: string) {
    const index = (language: Language, version = ""): string => {
      const chunks = neededBy(build, [/^main\./, new RegExp(`^${language}\\.\\w+\\.js$`)]);
      const preloads = chunks.map((it) => `<link rel="modulepreload" href="/${it}">`).join("\n");
      const texts: Readonly<Record<string, string>> = {
        ...values,
        preloads,
        script: `<script>${build.script}</script>`,
        style: `<style>${build.style}</style>`,
        greeting: attributeOf(greeting),
        version,
      };
      return build.index.replace(/\{\{(\w+)\}\}/g, (_, name: string) => texts[name] ?? "");
    };
    const building = JSON.parse(greeting);
    const manifest = (language: Language): string =>
      manifestOf(language, { ...building, name: building.name || build.names[language] }, pathOf);
    const all = index("en") + manifest("en") + names.join();
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
        `const VERSION="${version}",LANGUAGES=${JSON.stringify(languages)};${build.worker}`,
        "js",
      ),
    };
  }

  // The last result is kept, because compressing it takes longer than reading the greeting.
  let last: { readonly of: string; readonly written: ReturnType<typeof write> } | undefined;
  return {
    /** The index contains these, so that it does not wait for a second answer. */
    inline: { script: build.script, style: build.style },
    /**
     * @param greeting the name, mark and colour of the building, as JSON. The browser reads it from
     *   the index.
     */
    greeting(greeting: string) {
      if (last?.of !== greeting) last = { of: greeting, written: write(greeting) };
      return last.written;
    },
    /** By path. A name contains a hash of the file's content. */
    assets: new Map(
      Array.from(filesOf(build), ([name, content]) => [
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
function neededBy({ files }: Build, first: readonly RegExp[]): string[] {
  const needed = new Set(
    Object.keys(files).filter((it) => it.endsWith(".js") && first.some((name) => name.test(it))),
  );
  // A Set also visits elements that are added during the loop.
  for (const name of needed) for (const next of files[name] ?? []) needed.add(next);
  return [...needed];
}
