import Router from "@koa/router";
import { DESCRIPTION_PATH } from "../contract/routes.ts";
import type { RuleCatalogue, Rules } from "../errors/catalogue.ts";
import { type Asset, assetOf, send } from "../http/asset.ts";
import { type DescriptionOptions, describeApi } from "./description.ts";

interface Parts extends Omit<DescriptionOptions, "rules"> {
  readonly rules: RuleCatalogue;
}

/**
 * Gives the description to everybody: how to get a token must be readable without one. It is made
 * anew when the rules of the database have changed.
 */
export function openApiRoutes({ rules: catalogue, ...options }: Parts): Router {
  let made: { readonly rules: Rules; readonly asset: Asset } | undefined;

  const router = new Router({ prefix: options.basePath, sensitive: true, strict: true });
  return router.get(DESCRIPTION_PATH, async (ctx) => {
    const rules = await catalogue.all();
    if (made?.rules !== rules) {
      const json = JSON.stringify(describeApi({ ...options, rules }));
      made = { rules, asset: assetOf(json, "application/json") };
    }
    await send(ctx, made.asset, "revalidated");
  });
}
