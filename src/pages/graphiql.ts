import Router from "@koa/router";
import { ruruHTML } from "ruru/server";
import { getStaticFile } from "ruru/static";
import { graphiqlPolicy } from "./policy.ts";

const STATIC_PATH = "/graphiql/static/";

const FIRST_DOCUMENT = `# Paste a token into the Headers below: npm run -s token -- maria@demo.example
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

/** GraphiQL at /graphiql. All its files come from packages: no other host is contacted. */
export function graphiqlRoutes(basePath: string): Router {
  const configuration = {
    staticPath: STATIC_PATH,
    endpoint: `${basePath}/graphql`,
    defaultQuery: FIRST_DOCUMENT,
    defaultHeaders: JSON.stringify({ Authorization: "Bearer " }),
  };
  const configScript = `<script>const RURU_CONFIG = ${JSON.stringify(configuration)};</script>`;
  const page = ruruHTML({ staticPath: STATIC_PATH, htmlParts: { configScript } });
  const policy = graphiqlPolicy(page);

  return new Router({ sensitive: true, strict: true })
    .get("/graphiql", (ctx) => {
      ctx.set("Content-Security-Policy", policy);
      ctx.type = "html";
      ctx.body = page;
    })
    .get(`${STATIC_PATH}:name`, async (ctx) => {
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
