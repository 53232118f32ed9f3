import type { Context, Middleware } from "koa";
import { Provider } from "oidc-provider";
import getRawBody from "raw-body";
import { type Endpoint, route } from "../http/router.ts";
import { wantBody } from "../http/well-formed.ts";
import { issuerAt, MOUNT_PATH } from "./access-token.ts";
import { errorPage, PAGE_POLICY, signInPage } from "./pages.ts";
import { createAccounts, type Person, people } from "./people.ts";
import { isLoopback, providerConfiguration } from "./provider-configuration.ts";
import { loadSigningKey } from "./signing-key.ts";

export interface IdentityProviderOptions {
  /** The origin of the service, e.g. http://127.0.0.1:3000. The issuer is `${origin}/identity`. */
  readonly origin: string;
  /** The folder of the signing key, so that tokens survive a restart. */
  readonly dataDir: string;
  /** The people that the sign-in page lists. */
  readonly residents?: readonly Person[];
}

/**
 * Signs in anybody as anyone, without a password: for development only. It answers everything below
 * /identity, and passes on other requests. The provider stays a Koa application of its own: in the
 * service's context, other keys would sign the cookies of its sign-in.
 */
export async function createIdentityProvider({
  origin,
  dataDir,
  residents = Object.values(people),
}: IdentityProviderOptions): Promise<Middleware> {
  const accounts = createAccounts(residents);
  const key = await loadSigningKey(dataDir);
  const configuration = providerConfiguration({ origin, key, accounts });
  const provider = new Provider(issuerAt(origin), configuration);
  admitLoopbackClients(provider);
  provider.context.mountPath = MOUNT_PATH;
  provider.on("server_error", (ctx, error) => provider.emit("error", error, ctx));

  const ask: Endpoint = async (ctx) => {
    await provider.interactionDetails(ctx.req, ctx.res);
    showPage(ctx, signInPage(residents));
  };
  const signIn: Endpoint = async (ctx) => {
    const address = (await readForm(ctx)).get("email") ?? "";
    const account = accounts.withEmail(address);
    if (account === undefined) {
      ctx.status = 400;
      return showPage(ctx, signInPage(residents, address));
    }
    const result = { login: { accountId: account.id }, consent: {} };
    ctx.status = 303;
    ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, result));
  };
  const path = "/interaction/:uid";
  const pages = route([
    { method: "GET", path, answer: ask },
    { method: "POST", path, answer: signIn },
  ]);
  provider.use(withHeaders).use(withErrorPage).use(notThroughProxy).use(withoutPrefix);
  provider.use(atOrigin(origin)).use(withDefaultScope).use(pages);
  const answer = provider.callback();

  return async (ctx, next) => {
    if (ctx.path !== MOUNT_PATH && !ctx.path.startsWith(`${MOUNT_PATH}/`)) return next();
    wantBody(ctx);
    ctx.respond = false;
    await answer(ctx.req, ctx.res);
  };
}

/** Web apps in development have any port and path, which a client's fixed list cannot contain. */
function admitLoopbackClients({ Client }: Provider): void {
  const { redirectUriAllowed, postLogoutRedirectUriAllowed } = Client.prototype;
  Client.prototype.redirectUriAllowed = function (uri) {
    return redirectUriAllowed.call(this, uri) || isLoopbackPage(uri);
  };
  Client.prototype.postLogoutRedirectUriAllowed = function (uri) {
    return postLogoutRedirectUriAllowed.call(this, uri) || isLoopbackPage(uri);
  };
}

/** A redirect URI must not have a fragment (RFC 6749, 3.1.2). */
const isLoopbackPage = (uri: string): boolean => isLoopback(uri) && !uri.includes("#");

function showPage(ctx: Context, body: string): void {
  ctx.set("Cache-Control", "no-store");
  ctx.type = "html";
  ctx.body = body;
}

/** In bytes: many times the length of the longest encoded address. */
const LARGEST_FORM = 8 * 1_024;

async function readForm(ctx: Pick<Context, "req" | "request">): Promise<URLSearchParams> {
  const length = ctx.request.length ?? null;
  const text = await getRawBody(ctx.req, { length, limit: LARGEST_FORM, encoding: "utf-8" });
  return new URLSearchParams(text);
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
    const isMeantForCaller = error instanceof Error && "expose" in error && error.expose === true;
    if (!isMeantForCaller) ctx.app.emit("error", error, ctx);
    ctx.status = isMeantForCaller && "status" in error ? Number(error.status) : 500;
    ctx.type = "html";
    ctx.body = errorPage(isMeantForCaller ? explanationOf(error) : "Something went wrong.");
  }
};

/** The message of an OAuth error is only its code. */
const explanationOf = (error: Error): string =>
  "error_description" in error ? String(error.error_description) : error.message;

/** Headers that proxies add to a request (RFC 7239 and its forerunners). */
const ADDED_BY_PROXIES = /^(?:forwarded|via|x-forwarded-.*|x-real-ip)$/;

/** Only people at this machine sign in without a password, but a proxy may let in others. */
const notThroughProxy: Middleware = (ctx, next) => {
  const isForwarded = Object.keys(ctx.headers).some((name) => ADDED_BY_PROXIES.test(name));
  if (isForwarded) ctx.throw(403, "The sign-in of development does not serve through a proxy.");
  return next();
};

/** The provider knows its paths without the prefix. The log needs the original address again. */
const withoutPrefix: Middleware = async (ctx, next) => {
  const { url } = ctx;
  ctx.path = ctx.path.slice(MOUNT_PATH.length) || "/";
  try {
    await next();
  } finally {
    ctx.url = url;
  }
};

/** The pages where a browser starts and gets the cookies for the later steps. */
const ENTRANCES = ["/auth", "/session/end"];

/**
 * The provider's addresses come from the issuer, not from the Host header of a client. A browser
 * that starts under another name of this machine is redirected, because otherwise it would lose its
 * cookies half-way.
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

/** Swagger UI sends no scope unless the user ticks one, and the provider then grants nothing. */
const withDefaultScope: Middleware = async (ctx, next) => {
  if (ctx.path === "/auth" && !ctx.query.scope) ctx.query = { ...ctx.query, scope: "openid" };
  await next();
};
