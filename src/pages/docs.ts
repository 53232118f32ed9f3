import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Router from "@koa/router";
import type { Middleware } from "koa";
import swaggerUiFolder from "swagger-ui-dist/absolute-path.js";
import { DESCRIPTION_PATH } from "../openapi/description.ts";

/** No script or style but those served here, and nobody else is asked or told anything. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:", // the icons in Swagger UI's style
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * Signing in happens in a pop-up, which goes to the identity provider and comes back to hand its
 * code to the page: helmet's opener policy would part the two.
 */
const OPENS_POP_UPS = "same-origin-allow-popups";
const IS_POP_UP = "unsafe-none";

/** Swagger UI at /docs, showing the description of the API. */
export function docsRoutes(basePath: string): Router {
  const page = ours("index.html").replace("{{description}}", basePath + DESCRIPTION_PATH);
  return new Router({ sensitive: true, strict: true })
    .get("/docs", (ctx) => ctx.redirect("/docs/"))
    .get("/docs/", file("html", page))
    .get("/docs/initializer.js", file("js", ours("initializer.js")))
    .get("/docs/swagger-ui.css", file("css", theirs("swagger-ui.css")))
    .get("/docs/swagger-ui-bundle.js", file("js", theirs("swagger-ui-bundle.js")))
    .get("/docs/favicon-32x32.png", file("png", theirs("favicon-32x32.png")))
    .get("/docs/oauth2-redirect.html", file("html", theirs("oauth2-redirect.html"), IS_POP_UP))
    .get("/docs/oauth2-redirect.js", file("js", theirs("oauth2-redirect.js")));
}

const ours = (name: string): string =>
  readFileSync(new URL(`docs/${name}`, import.meta.url), "utf8");

const theirs = (name: string): Buffer => readFileSync(join(swaggerUiFolder(), name));

/** Caches ask each time whether a file is still the same, so that after an upgrade all are new. */
function file(type: string, body: string | Buffer, openerPolicy = OPENS_POP_UPS): Middleware {
  const etag = hash("sha256", body, "base64url");
  return (ctx) => {
    ctx.body = body;
    ctx.type = type;
    ctx.etag = etag;
    ctx.set({
      "Cache-Control": "no-cache",
      "Content-Security-Policy": PAGE_POLICY,
      "Cross-Origin-Opener-Policy": openerPolicy,
    });
    if (ctx.fresh) ctx.status = 304;
  };
}
