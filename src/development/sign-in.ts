import Router, { type RouterContext } from "@koa/router";
import type { Provider } from "oidc-provider";
import getRawBody from "raw-body";
import type { Accounts } from "./accounts.ts";
import type { Person } from "./people.ts";
import { signInPage } from "./sign-in-page.ts";

/** In bytes: many times the length of the longest address, encoded. */
const LARGEST_FORM = 8 * 1_024;

/** Shows the sign-in page for the provider, and returns the person who was chosen. */
export function signInRoutes(
  provider: Provider,
  accounts: Accounts,
  people: readonly Person[],
): Router {
  function show(ctx: RouterContext, refusedAddress?: string): void {
    ctx.set("Cache-Control", "no-store");
    ctx.type = "html";
    ctx.body = signInPage(people, refusedAddress);
  }

  return new Router()
    .get("/interaction/:uid", async (ctx) => {
      await provider.interactionDetails(ctx.req, ctx.res);
      show(ctx);
    })
    .post("/interaction/:uid", async (ctx) => {
      const address = (await readForm(ctx)).get("email") ?? "";
      const account = accounts.withEmail(address);
      if (account === undefined) {
        ctx.status = 400;
        return show(ctx, address);
      }
      const result = { login: { accountId: account.id }, consent: {} };
      ctx.status = 303;
      ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, result));
    });
}

async function readForm(ctx: RouterContext): Promise<URLSearchParams> {
  const length = ctx.request.length ?? null;
  const text = await getRawBody(ctx.req, { length, limit: LARGEST_FORM, encoding: "utf-8" });
  return new URLSearchParams(text);
}
