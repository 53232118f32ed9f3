import { hash } from "node:crypto";
import Router from "@koa/router";
import { ruruHTML } from "ruru/server";
import { getStaticFile } from "ruru/static";

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

/** GraphiQL at /graphiql, served from the packages: nobody else is asked or told anything. */
export function graphiqlRoutes(basePath: string): Router {
  const configuration = {
    staticPath: STATIC_PATH,
    endpoint: `${basePath}/graphql`,
    defaultQuery: FIRST_DOCUMENT,
    defaultHeaders: JSON.stringify({ Authorization: "Bearer " }),
  };
  const configScript = `<script>const RURU_CONFIG = ${JSON.stringify(configuration)};</script>`;
  const page = ruruHTML({ staticPath: STATIC_PATH, htmlParts: { configScript } });
  const policy = policyOf(page);

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

/** The page has its scripts in it: they may run, and no others but those served here. */
function policyOf(page: string): string {
  const scripts = [...page.matchAll(/<script[^>]*>(.*?)<\/script>/gs)];
  const hashes = scripts.map(([, script = ""]) => `'sha256-${hash("sha256", script, "base64")}'`);
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(" ")}`,
    "worker-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'", // the editor styles what it writes
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
