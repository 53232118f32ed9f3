import Router from "@koa/router";
import { graphiqlPolicy } from "./policy.ts";

const STATIC_PATH = "/graphiql/static/";

const firstDocument = (
  tokenCommand: string,
) => `# Paste a token into the Headers below: ${tokenCommand}
{
  ownProfile {
    fullName
    spots {
      nodes {
        spotNumber
      }
    }
  }
}
`;

/**
 * GraphiQL at /graphiql. All its files come from packages: no other host is contacted. They are
 * loaded when somebody opens the page; in production they are not even installed.
 */
export function graphiqlRoutes(basePath: string, tokenCommand = "npm run -s token"): Router {
  const configuration = {
    staticPath: STATIC_PATH,
    endpoint: `${basePath}/graphql`,
    defaultQuery: firstDocument(tokenCommand),
    defaultHeaders: JSON.stringify({ Authorization: "Bearer " }),
  };
  // Inside a script, "<" could start its end tag.
  const json = JSON.stringify(configuration).replaceAll("<", "\\u003c");
  const configScript = `<script>const RURU_CONFIG = ${json};</script>`;

  return new Router({ sensitive: true, strict: true })
    .get("/graphiql", async (ctx) => {
      const { ruruHTML } = await import("ruru/server");
      const page = ruruHTML({ staticPath: STATIC_PATH, htmlParts: { configScript } });
      ctx.set("Content-Security-Policy", graphiqlPolicy(page));
      ctx.type = "html";
      ctx.body = page;
    })
    .get(`${STATIC_PATH}:name`, async (ctx) => {
      const { getStaticFile } = await import("ruru/static");
      const acceptEncoding = ctx.get("Accept-Encoding");
      const file = await getStaticFile({
        staticPath: STATIC_PATH,
        urlPath: ctx.path,
        acceptEncoding,
        disallowDevAssets: true,
      });
      if (!file) return;
      ctx.body = file.content;
      ctx.set({ ...file.headers, "Cache-Control": "no-cache" });
      if (ctx.fresh) ctx.status = 304;
    });
}
