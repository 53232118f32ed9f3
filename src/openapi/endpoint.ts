import Router from "@koa/router";
import type { RuleCatalogue, Rules } from "../errors/catalogue.ts";
import { revalidated } from "../http/caching.ts";
import { DESCRIPTION_PATH, type DescriptionOptions, describeApi } from "./description.ts";

interface Parts extends Omit<DescriptionOptions, "rules"> {
  readonly rules: RuleCatalogue;
}

/**
 * Gives the description to everybody: how to get a token must be readable without one. It is made
 * anew when the rules of the database have changed.
 */
export function openApiRoutes({ rules: catalogue, ...options }: Parts): Router {
  let made: { readonly rules: Rules; readonly json: string } | undefined;

  const router = new Router({ prefix: options.basePath, sensitive: true, strict: true });
  return router.get(DESCRIPTION_PATH, revalidated, async (ctx) => {
    const rules = await catalogue.all();
    if (made?.rules !== rules) {
      made = { rules, json: JSON.stringify(describeApi({ ...options, rules })) };
    }
    ctx.type = "application/json";
    ctx.body = made.json;
  });
}
