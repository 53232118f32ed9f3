import Router from "@koa/router";
import { revalidated } from "../http/caching.ts";
import { DESCRIPTION_PATH, type DescriptionOptions, describeApi } from "./description.ts";

/** Gives the description to everybody: nobody needs a token to learn how to get one. */
export function openApiRoutes(options: DescriptionOptions): Router {
  const json = JSON.stringify(describeApi(options));
  const router = new Router({ prefix: options.basePath, sensitive: true, strict: true });
  return router.get(DESCRIPTION_PATH, revalidated, (ctx) => {
    ctx.type = "application/json";
    ctx.body = json;
  });
}
