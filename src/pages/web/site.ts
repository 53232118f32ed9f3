import { readFile } from "node:fs/promises";
import { type Asset, assetOf } from "../../http/asset.ts";
import { webPolicy } from "../policy.ts";

/** What the page has to know of the service. The browser reads it from the index. */
export interface WebSettings {
  readonly basePath: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: string;
  readonly audience?: string | undefined;
  readonly resource?: string | undefined;
}

/** Everything that a browser can ask of the page. */
export interface Site {
  readonly index: Asset;
  readonly policy: string;
  /** By path. */
  readonly assets: ReadonlyMap<string, Asset>;
}

export async function buildSite(settings: WebSettings): Promise<Site> {
  // Loaded here, so that a service without the page has no part of the bundler in memory.
  const { bundle } = await import("./bundle.ts");
  const { outputs, entries } = await bundle();
  const template = await readFile(new URL("../../web/index.html", import.meta.url), "utf8");
  const index = fillIn(template, {
    settings: escaped(JSON.stringify(settings)),
    page: `/${entries.page}`,
    style: `/${entries.style}`,
    icon: `/${entries.icon}`,
  });
  return {
    index: assetOf(index, "html"),
    policy: webPolicy(new URL(settings.issuer).origin),
    assets: new Map(
      outputs.map(({ name, text }) => [`/${name}`, assetOf(text, name.replace(/^.*\./, ""))]),
    ),
  };
}

const fillIn = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? "");

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
