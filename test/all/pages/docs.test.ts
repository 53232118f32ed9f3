import { describe, expect, it } from "@jest/globals";
import { useBuilding } from "../../support/building.ts";

const building = useBuilding();

const ask = (path: string, init: RequestInit = {}) =>
  fetch(building.service.origin + path, { redirect: "manual", ...init });

const files = [
  ["/docs/", "text/html; charset=utf-8"],
  ["/docs/initializer.js", "text/javascript; charset=utf-8"],
  ["/docs/page.css", "text/css; charset=utf-8"],
  ["/docs/swagger-ui.css", "text/css; charset=utf-8"],
  ["/docs/swagger-ui-bundle.js", "text/javascript; charset=utf-8"],
  ["/docs/favicon-32x32.png", "image/png"],
  ["/docs/oauth2-redirect.html", "text/html; charset=utf-8"],
  ["/docs/oauth2-redirect.js", "text/javascript; charset=utf-8"],
] as const;

describe.each(files)("%s", (path, type) => {
  it("has its media type, and a policy without exceptions", async () => {
    const { status, headers } = await ask(path);

    expect(status).toBe(200);
    expect(headers.get("Content-Type")).toBe(type);
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Content-Security-Policy")).toMatch(
      /^default-src 'none'; script-src 'self';/,
    );
    expect(headers.get("Content-Security-Policy")).not.toMatch(/unsafe|\*|https?:/);
  });

  it("is not sent again to a browser that has it", async () => {
    const { headers } = await ask(path);
    // Without this Cache-Control, fetch() would send no-cache.
    const revalidation = {
      "If-None-Match": headers.get("ETag") ?? "",
      "Cache-Control": "max-age=0",
    };
    const again = await ask(path, { headers: revalidation });

    expect(headers.get("Cache-Control")).toBe("no-cache");
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
  });
});

describe("/docs", () => {
  it("redirects to its page", async () => {
    const { status, headers } = await ask("/docs");

    expect([status, headers.get("Location")]).toEqual([302, "/docs/"]);
  });

  it("shows the description of this API", async () => {
    expect(await (await ask("/docs/")).text()).toContain('data-description="/api/openapi.json"');
  });

  it.each(["/docs/", "/docs/oauth2-redirect.html"])(
    "has no script or style in %s",
    async (path) => {
      const markup = await (await ask(path)).text();

      expect(markup).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]* src="[\w.-]+")/);
    },
  );

  it.each([
    "index.html",
    "index.js",
    "package.json",
    "swagger-initializer.js",
    "swagger-ui-bundle.js.map",
    "..%2fpackage.json",
    "%2e%2e/package.json",
  ])("has no %s", async (name) => {
    expect((await ask(`/docs/${name}`)).status).toBe(404);
  });

  it("can only be read", async () => {
    const { status, headers } = await ask("/docs/", { method: "POST" });

    expect([status, headers.get("Allow")]).toEqual([405, "HEAD, GET"]);
  });
});
