import type { Context, Middleware } from "koa";
import { timesSent } from "../http/repeated-headers.ts";
import { tokenRefused } from "./bearer.ts";
import type { RequestState } from "./identity.ts";
import type { TokenVerifier } from "./verifier.ts";

/** Verifies the token of every request below the base path. Other paths end here, unanswered. */
export function authenticate(tokens: TokenVerifier, basePath: string): Middleware<RequestState> {
  return async (ctx, next) => {
    if (ctx.path !== basePath && !ctx.path.startsWith(`${basePath}/`)) return;
    ctx.state.identity = await tokens.verify(authorizationOf(ctx));
    await next();
  };
}

/** Node keeps the first of two headers, and a proxy may have checked the other. */
function authorizationOf({ req }: Context): string | undefined {
  if (timesSent("authorization", req) > 1) {
    throw tokenRefused(new Error("there are several Authorization headers"));
  }
  return req.headers.authorization || undefined;
}
