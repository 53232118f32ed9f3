import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Router from "@koa/router";
import type { Middleware } from "koa";
import swaggerUiFolder from "swagger-ui-dist/absolute-path.js";
import { DESCRIPTION_PATH } from "../openapi/description.ts";
import { docsPolicy } from "./policy.ts";

/**
 * Signing in happens in a pop-up, which goes to the identity provider and returns to give its code
 * to the page. helmet's opener policy would separate the two.
 */
const OPENS_POP_UPS = "same-origin-allow-popups";
const IS_POP_UP = "unsafe-none";

/** Swagger UI at /docs. It shows the description of the API. */
export function docsRoutes(basePath: string): Router {
  const page = ourFile("index.html").replace("{{description}}", basePath + DESCRIPTION_PATH);
  return new Router({ sensitive: true, strict: true })
    .get("/docs", (ctx) => ctx.redirect("/docs/"))
    .get("/docs/", file("html", page))
    .get("/docs/initializer.js", file("js", ourFile("initializer.js")))
    .get("/docs/swagger-ui.css", file("css", swaggerFile("swagger-ui.css")))
    .get("/docs/swagger-ui-bundle.js", file("js", swaggerFile("swagger-ui-bundle.js")))
    .get("/docs/favicon-32x32.png", file("png", swaggerFile("favicon-32x32.png")))
    .get("/docs/oauth2-redirect.html", file("html", swaggerFile("oauth2-redirect.html"), IS_POP_UP))
    .get("/docs/oauth2-redirect.js", file("js", swaggerFile("oauth2-redirect.js")));
}

const ourFile = (name: string): string =>
  readFileSync(new URL(`docs/${name}`, import.meta.url), "utf8");

const swaggerFile = (name: string): Buffer => readFileSync(join(swaggerUiFolder(), name));

/** Caches revalidate on every use, so that an upgrade replaces all files at once. */
function file(type: string, body: string | Buffer, openerPolicy = OPENS_POP_UPS): Middleware {
  const etag = hash("sha256", body, "base64url");
  return (ctx) => {
    ctx.body = body;
    ctx.type = type;
    ctx.etag = etag;
    ctx.set({
      "Cache-Control": "no-cache",
      "Content-Security-Policy": docsPolicy,
      "Cross-Origin-Opener-Policy": openerPolicy,
    });
    if (ctx.fresh) ctx.status = 304;
  };
}
