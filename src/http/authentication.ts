import type { Context, Middleware } from "koa";
import type { Identity, RequestState } from "../tokens/identity.ts";
import { tokenRefused } from "../tokens/verifier.ts";
import { timesSent } from "./well-formed.ts";

/** The sender of a request, by its Authorization header. */
interface Authenticator {
  verify(authorization: string | undefined): Promise<Identity>;
}

/** Verifies the token of every request below the base path. Other paths end here, unanswered. */
export function authenticate(tokens: Authenticator, basePath: string): Middleware<RequestState> {
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
