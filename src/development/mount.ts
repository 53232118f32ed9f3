import type Router from "@koa/router";
import type { Context, Middleware } from "koa";
import type { Provider } from "oidc-provider";
import { wantBody } from "../http/acceptable.ts";
import { MOUNT_PATH } from "./access-token.ts";
import { PAGE_POLICY } from "./page.ts";
import { errorPage } from "./pages.ts";

/** Where a browser starts, and gets the cookies that the later steps need. */
const ENTRANCES = ["/auth", "/session/end"];

/**
 * Serves the provider below its path. It stays a Koa application of its own: in the service's
 * context, the cookies of its sign-in would be signed with other keys.
 */
export function mount(provider: Provider, origin: string, signIn: Router): Middleware {
  provider.context.mountPath = MOUNT_PATH;
  provider.on("server_error", (ctx, error) => provider.emit("error", error, ctx));
  provider.use(withHeaders).use(withErrorPage).use(notThroughProxy).use(withoutPrefix);
  provider.use(atOrigin(origin)).use(withDefaultScope).use(signIn.routes());
  const answer = provider.callback();

  return async (ctx, next) => {
    if (ctx.path !== MOUNT_PATH && !ctx.path.startsWith(`${MOUNT_PATH}/`)) return next();
    wantBody(ctx);
    ctx.respond = false;
    await answer(ctx.req, ctx.res);
  };
}

/** helmet's opener policy would separate a pop-up from the web app that waits for its code. */
const withHeaders: Middleware = async (ctx, next) => {
  ctx.set("Content-Security-Policy", PAGE_POLICY);
  ctx.set("Cross-Origin-Opener-Policy", "unsafe-none");
  await next();
};

const withErrorPage: Middleware = async (ctx, next) => {
  try {
    await next();
    if (ctx.status === 404 && ctx.body == null) ctx.throw(404, "There is no such page.");
  } catch (error) {
    showError(ctx, error);
  }
};

function showError(ctx: Context, error: unknown): void {
  const isMeantForCaller = error instanceof Error && "expose" in error && error.expose === true;
  if (!isMeantForCaller) ctx.app.emit("error", error, ctx);
  ctx.status = isMeantForCaller && "status" in error ? Number(error.status) : 500;
  ctx.type = "html";
  ctx.body = errorPage(isMeantForCaller ? explanationOf(error) : "Something went wrong.");
}

/** What proxies add to a request (RFC 7239 and its forerunners). */
const ADDED_BY_PROXIES = /^(?:forwarded|via|x-forwarded-.*|x-real-ip)$/;

/** Only people at this machine sign in without a password, and a proxy may let others in. */
const notThroughProxy: Middleware = (ctx, next) => {
  const isForwarded = Object.keys(ctx.headers).some((name) => ADDED_BY_PROXIES.test(name));
  if (isForwarded) ctx.throw(403, "The sign-in of development does not serve through a proxy.");
  return next();
};

/** The message of an OAuth error is only its code. */
const explanationOf = (error: Error): string =>
  "error_description" in error ? String(error.error_description) : error.message;

/** The provider knows its paths without the prefix. The log needs the original address back. */
const withoutPrefix: Middleware = async (ctx, next) => {
  const { url } = ctx;
  ctx.path = ctx.path.slice(MOUNT_PATH.length) || "/";
  try {
    await next();
  } finally {
    ctx.url = url;
  }
};

/**
 * The provider's addresses follow from the issuer, not from the Host that a client sends. A browser
 * that starts under another name of this machine is redirected, or it would lose its cookies
 * half-way.
 */
function atOrigin(origin: string): Middleware {
  const { host } = new URL(origin);
  return async (ctx, next) => {
    const href = origin + ctx.originalUrl;
    if (ctx.host !== host && ENTRANCES.includes(ctx.path)) return ctx.redirect(href);
    Object.defineProperty(ctx.request, "href", { value: href });
    await next();
  };
}

/** Swagger UI sends no scope unless one is ticked, and the provider would then grant nothing. */
const withDefaultScope: Middleware = async (ctx, next) => {
  if (ctx.path === "/auth" && !ctx.query.scope) ctx.query = { ...ctx.query, scope: "openid" };
  await next();
};
