import Router from "@koa/router";
import type { SignIn } from "../openapi/description.ts";
import { file, ourFile } from "./file.ts";
import { graphiqlPolicy } from "./policy.ts";

const STATIC_PATH = "/graphiql/static/";

/**
 * GraphiQL at /graphiql. Its files come from here and from a package: no other host is contacted. The
 * package is loaded when somebody opens the page; in production it is not even installed.
 */
export function graphiqlRoutes(basePath: string, signIn: SignIn): Router {
  const page = ourFile("graphiql/index.html")
    .replace("{{endpoint}}", `${basePath}/graphql`)
    .replace("{{authorizationUrl}}", signIn.authorizationUrl)
    .replace("{{tokenUrl}}", signIn.tokenUrl);

  return new Router({ sensitive: true, strict: true })
    .get("/graphiql", graphiqlFile("html", page))
    .get("/graphiql/page.css", graphiqlFile("css", ourFile("graphiql/page.css")))
    .get("/graphiql/page.js", graphiqlFile("js", ourFile("graphiql/page.js")))
    .get("/graphiql/sign-in.js", graphiqlFile("js", ourFile("graphiql/sign-in.js")))
    .get(`${STATIC_PATH}:name`, async (ctx) => {
      const { getStaticFile } = await import("ruru/static");
      const acceptEncoding = ctx.get("Accept-Encoding");
      const found = await getStaticFile({
        staticPath: STATIC_PATH,
        urlPath: ctx.path,
        acceptEncoding,
        disallowDevAssets: true,
      });
      if (!found) return;
      ctx.body = found.content;
      ctx.set({ ...found.headers, "Cache-Control": "no-cache" });
      if (ctx.fresh) ctx.status = 304;
    });
}

const graphiqlFile = (type: string, body: string) =>
  file(type, body, { "Content-Security-Policy": graphiqlPolicy });
