import { hash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { addresses } from "../../../src/addresses.ts";
import { openBuilding, useBuilding } from "../../support/building.ts";
import { holdsForAll } from "../../support/table.ts";
import { until } from "../../support/waiting.ts";

const issuer = "https://login.example.org/tenant";
const web = { issuer, clientId: 'the "page"', scopes: "openid", basePath: "/api" };

/** In bytes, compressed by gzip: what a phone loads before a resident sees something. */
const FIRST = 47_000;
/** All files: both languages, what administrators alone load, and what reads CSV. */
const ALL = 165_000;

const building = useBuilding({ web });

const ask = (path: string, init: RequestInit = {}) => fetch(building.service.origin + path, init);
const index = async () => (await ask("/")).text();
const assetsOf = (text: string): readonly string[] => [
  ...new Set(text.match(/(?<=["/])[\w.-]+\.[A-Z0-9]{8}\.\w+(?=")/g)),
];

describe("the page", () => {
  const spots = ["/spot/A-101", "/spot/P%2F1%20%C3%B6%25", "/spot/%"];

  it("is at each of its addresses", () =>
    holdsForAll([...Object.values(addresses), "/find", ...spots], async (path) => {
      const { status, headers } = await ask(path);
      expect([status, headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
    }));

  it("has no third segment for a spot", async () => {
    expect((await ask("/spot/A/101")).status).toBe(404);
  });

  it("may do no more than it needs", async () => {
    const { headers } = await ask("/");
    const policy = headers.get("Content-Security-Policy") ?? "";

    expect(policy).toMatch(
      /^default-src 'none'; script-src 'self' 'sha256-[^' ]+'; style-src 'sha256-[^' ]+';/,
    );
    // The one script and the style that stand in the index.
    const inline = [...(await index()).matchAll(/<(script|style)>(.*?)<\/\1>/gs)];
    expect(inline.map(([, kind, text = ""]) => [kind, hash("sha256", text, "base64")])).toEqual(
      [...policy.matchAll(/(script|style)-src (?:'self' )?'sha256-([^']+)'/g)].map(
        ([, kind, expected]) => [kind, expected],
      ),
    );
    expect(policy).toContain("connect-src 'self' https://login.example.org;");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types service-worker");
    expect(policy).not.toContain("unsafe");
  });

  it("says where people sign in", async () => {
    const content = /name="settings" content="([^"]+)"/.exec(await index())?.[1] ?? "";
    const settings = content.replaceAll("&quot;", '"').replaceAll("&amp;", "&");

    expect(JSON.parse(settings)).toEqual(web);
  });

  it("says how the building calls itself, and nothing else of it", async () => {
    const said = async () => {
      const content = /name="greeting" content="([^"]*)"/.exec(await index())?.[1] ?? "";
      return JSON.parse(content.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
    };
    expect(await said()).toEqual({ name: "The building" });

    const name = `"Elm" <b>&amp; Oak`;
    const update = "update parking.building set name = $1, mark = 'E', colour = '#aa0000'";
    await building.rows(update, [name]);
    const all = { name, mark: "E", colour: "#aa0000" };
    await until("a new greeting", async () => (await said()).mark === "E");
    expect(await said()).toEqual(all);
    const manifest = JSON.parse(await (await ask("/manifest.webmanifest")).text());
    expect(manifest.theme_color).toBe(all.colour);
    await building.rows("update parking.building set mark = null, colour = null");
    await until("the former greeting", async () => (await said()).mark === undefined);
  });

  it("is asked for again at each visit, and sent only when it has changed", async () => {
    const { headers } = await ask("/");
    const tag = headers.get("ETag") ?? "";
    const again = await ask("/", {
      headers: { "If-None-Match": tag, "Cache-Control": "max-age=0" },
    });

    expect(headers.get("Cache-Control")).toBe("no-cache");
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  it("is also at an address without a screen, as a 404, but only for a browser", async () => {
    const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    const { status, headers } = await ask("/nowhere", { headers: { Accept: accept } });
    expect([status, headers.get("Content-Type")]).toEqual([404, "text/html; charset=utf-8"]);

    const answer = await ask("/nowhere", { headers: { Accept: "*/*" } });
    expect([answer.status, await answer.json()]).toEqual([404, { error: "Not found" }]);
  });

  it("leaves other addresses to the API", async () => {
    expect((await ask("/page.AAAAAAAA.js")).status).toBe(404);
    expect((await ask("/", { method: "POST" })).status).toBe(404);
    expect((await ask("/api/claims")).status).toBe(401);
  });
});

describe("its files", () => {
  it("have their content in their address, so a browser keeps them for ever", async () => {
    for (const name of assetsOf(await index())) {
      const { status, headers } = await ask(`/${name}`);
      expect([name, status]).toEqual([name, 200]);
      expect(headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    }
  });

  it("are compressed", async () => {
    const name = assetsOf(await index()).find((it) => it.startsWith("main.")) ?? "";
    const encoded = await ask(`/${name}`, { headers: { "Accept-Encoding": "br, gzip" } });
    const plain = await ask(`/${name}`, { headers: { "Accept-Encoding": "identity" } });

    expect(encoded.headers.get("Content-Encoding")).toBe("br");
    expect(Number(encoded.headers.get("Content-Length"))).toBeLessThan(10_000);
    expect(plain.headers.get("Content-Encoding")).toBeNull();
    expect(await encoded.text()).toBe(await plain.text());
  });

  /** The sizes of the index and of all that is loaded because of it, by name. */
  async function sizes(isLoaded: (text: string) => readonly string[]) {
    const sizes = new Map([["index", gzipSync(await index()).length]]);
    const names = new Set(isLoaded(await index()));
    // A Set also visits what is added meanwhile.
    for (const name of names) {
      const answer = await ask(`/${name}`);
      expect([name, answer.status]).toEqual([name, 200]);
      const text = await answer.text();
      sizes.set(name, gzipSync(text).length);
      for (const imported of isLoaded(text)) names.add(imported);
    }
    return sizes;
  }
  const sumOf = (all: ReadonlyMap<string, number>) => [...all.values()].reduce((a, b) => a + b);

  it("are small enough for a phone, those that a resident loads first", async () => {
    // But for its language, what is behind import() is loaded when it is opened.
    const loaded = await sizes((text) => [
      ...assetsOf(text.replaceAll(/import\("[^"]+"\)/g, "")).filter((it) => !it.endsWith(".png")),
      ...assetsOf(text).filter((name) => name.startsWith("en.")),
    ]);

    const kinds = [...loaded.keys()].map((name) => name.replace(/\..*/, ""));
    expect(kinds).toEqual(expect.arrayContaining(["index", "main", "icon", "en"]));
    expect(kinds).not.toContain("administration");
    expect(kinds).not.toContain("profile");
    expect(kinds).not.toContain("mail");
    expect(sumOf(loaded)).toBeLessThan(FIRST);
  });

  it("are not many more, all of them together", async () => {
    const all = await sizes(assetsOf);

    const kinds = [...all.keys()].map((name) => name.replace(/\..*/, ""));
    expect(kinds).toEqual(expect.arrayContaining(["en", "de", "administration", "csv"]));
    expect(sumOf(all)).toBeLessThan(ALL);
  });
});

it("a service without settings for the page has none", async () => {
  const other = await openBuilding();
  const { status } = await fetch(other.service.origin);
  await other.close();

  expect(status).toBe(404);
});
