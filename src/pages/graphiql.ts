import type { Endpoint, Entry } from "../http/router.ts";
import type { SignIn } from "../openapi/description.ts";
import { ourFile, routesOfFiles } from "./files.ts";
import { graphiqlPolicy } from "./policy.ts";

/**
 * GraphiQL at /graphiql. Its files come from here and from a package, and no other host is
 * contacted. The package is loaded when somebody opens the page, and production does not install
 * it.
 */
export function graphiqlRoutes(basePath: string, signIn: SignIn): readonly Entry[] {
  const page = ourFile("graphiql/index.html")
    .replace("{{endpoint}}", `${basePath}/graphql`)
    .replace("{{authorizationUrl}}", signIn.authorizationUrl)
    .replace("{{tokenUrl}}", signIn.tokenUrl);

  const files = {
    "": page,
    "/page.css": ourFile("graphiql/page.css"),
    "/page.js": ourFile("graphiql/page.js"),
    "/sign-in.js": ourFile("graphiql/sign-in.js"),
  };
  const policy = { "Content-Security-Policy": graphiqlPolicy };
  return [
    ...routesOfFiles("/graphiql", files, () => policy),
    { method: "GET", path: "/graphiql/static/:name", answer: sendPackaged },
  ];
}

const sendPackaged: Endpoint = async (ctx) => {
  const { getStaticFile } = await import("ruru/static");
  const found = await getStaticFile({
    staticPath: "/graphiql/static/",
    urlPath: ctx.path,
    acceptEncoding: ctx.get("Accept-Encoding"),
    disallowDevAssets: true,
  });
  if (!found) return;
  ctx.body = found.content;
  ctx.set({ ...found.headers, "Cache-Control": "no-cache" });
  if (ctx.fresh) ctx.status = 304;
};
