import { readFileSync } from "node:fs";
import { join } from "node:path";
import swaggerUiFolder from "swagger-ui-dist/absolute-path.js";
import { DESCRIPTION_PATH } from "../contract/routes.ts";
import type { Entry } from "../http/router.ts";
import { ourFile, routesOfFiles } from "./files.ts";
import { docsPolicy } from "./policy.ts";

/** Swagger UI at /docs, which shows the description of the API. */
export function docsRoutes(basePath: string): readonly Entry[] {
  const page = ourFile("docs/index.html").replace("{{description}}", basePath + DESCRIPTION_PATH);
  const files = {
    "/": page,
    "/initializer.js": ourFile("docs/initializer.js"),
    "/page.css": ourFile("docs/page.css"),
    "/swagger-ui.css": swaggerFile("swagger-ui.css"),
    "/swagger-ui-bundle.js": swaggerFile("swagger-ui-bundle.js"),
    "/favicon-32x32.png": swaggerFile("favicon-32x32.png"),
    "/oauth2-redirect.html": swaggerFile("oauth2-redirect.html"),
    "/oauth2-redirect.js": swaggerFile("oauth2-redirect.js"),
  };
  const ofFiles = routesOfFiles("/docs", files, (name) => ({
    "Content-Security-Policy": docsPolicy,
    // People sign in in a pop-up. It goes to the identity provider and comes back to give its code
    // to the page. helmet's policy would separate the two.
    "Cross-Origin-Opener-Policy": name.endsWith(".html")
      ? "unsafe-none"
      : "same-origin-allow-popups",
  }));
  return [...ofFiles, { method: "GET", path: "/docs", answer: (ctx) => ctx.redirect("/docs/") }];
}

const swaggerFile = (name: string): Buffer => readFileSync(join(swaggerUiFolder(), name));
