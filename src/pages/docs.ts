import { readFileSync } from "node:fs";
import { join } from "node:path";
import Router from "@koa/router";
import swaggerUiFolder from "swagger-ui-dist/absolute-path.js";
import { DESCRIPTION_PATH } from "../contract/routes.ts";
import { file, ourFile } from "./file.ts";
import { docsPolicy } from "./policy.ts";

/**
 * Signing in happens in a pop-up, which goes to the identity provider and returns to give its code
 * to the page. helmet's opener policy would separate the two.
 */
const OPENS_POP_UPS = "same-origin-allow-popups";
const IS_POP_UP = "unsafe-none";

/** Swagger UI at /docs. It shows the description of the API. */
export function docsRoutes(basePath: string): Router {
  const page = ourFile("docs/index.html").replace("{{description}}", basePath + DESCRIPTION_PATH);
  return new Router({ sensitive: true, strict: true })
    .get("/docs", (ctx) => ctx.redirect("/docs/"))
    .get("/docs/", docsFile("html", page))
    .get("/docs/initializer.js", docsFile("js", ourFile("docs/initializer.js")))
    .get("/docs/page.css", docsFile("css", ourFile("docs/page.css")))
    .get("/docs/swagger-ui.css", docsFile("css", swaggerFile("swagger-ui.css")))
    .get("/docs/swagger-ui-bundle.js", docsFile("js", swaggerFile("swagger-ui-bundle.js")))
    .get("/docs/favicon-32x32.png", docsFile("png", swaggerFile("favicon-32x32.png")))
    .get(
      "/docs/oauth2-redirect.html",
      docsFile("html", swaggerFile("oauth2-redirect.html"), IS_POP_UP),
    )
    .get("/docs/oauth2-redirect.js", docsFile("js", swaggerFile("oauth2-redirect.js")));
}

const swaggerFile = (name: string): Buffer => readFileSync(join(swaggerUiFolder(), name));

const docsFile = (type: string, body: string | Buffer, openerPolicy = OPENS_POP_UPS) =>
  file(type, body, {
    "Content-Security-Policy": docsPolicy,
    "Cross-Origin-Opener-Policy": openerPolicy,
  });
