import type { EventEmitter } from "node:events";
import type { IncomingMessage, RequestListener } from "node:http";
import type { Context, Middleware } from "koa";
import { type Configuration, Provider } from "oidc-provider";
import getRawBody from "raw-body";
import { issuerAt, MOUNT_PATH } from "../config/own-issuer.ts";
import { isOutage } from "../errors/outage.ts";
import { wantBody } from "../http/request.ts";
import { type Entry, route } from "../http/router.ts";
import { signInPolicy } from "../pages/policy.ts";
import { cssOf, errorPage, type Reader } from "./pages.ts";

export interface FrameParts {
  /** The origin of the service, e.g. http://127.0.0.1:3000. The issuer is below it. */
  readonly origin: string;
  readonly configuration: Configuration;
  /** The pages that ask who somebody is. */
  readonly pages: (provider: Provider) => readonly Entry[];
  /** What comes before the provider, such as what refuses a request. */
  readonly before?: readonly Middleware[];
  /** Where forms may lead: the clients to which a sign-in redirects. */
  readonly formAction: string;
  /** The script that a page may have. */
  readonly script?: string;
  readonly readerOf: ReaderOf;
  /** Hears of what is not the caller's mistake. */
  readonly onError?: (error: unknown) => void;
}

/** For whom a page is. */
export type ReaderOf = (
  ctx: Pick<Context, "vary" | "get" | "acceptsLanguages" | "query">,
) => Promise<Reader>;

/** The path at which the provider asks who somebody is. */
export const INTERACTION_PATH = "/interaction/:uid";

/**
 * An OpenID provider that answers below /identity. It stays a Koa application of its own: in the
 * service's context, other keys would sign the cookies of its sign-in.
 */
export function createFrame(parts: FrameParts): { provider: Provider; answer: RequestListener } {
  const { origin, configuration, pages, readerOf, before = [], onError } = parts;
  const provider = new Provider(issuerAt(origin), configuration);
  provider.context.mountPath = MOUNT_PATH;
  // The answer is not sent yet.
  provider.on("server_error", (ctx, error) => {
    if (isOutage(error)) ctx.status = 503;
    provider.emit("error", error, ctx);
  });
  const emitter: EventEmitter = provider;
  if (onError) emitter.on("error", onError);
  provider.use(withHeaders(parts)).use(withErrorPage(readerOf));
  for (const middleware of before) provider.use(middleware);
  provider.use(withoutPrefix).use(atOrigin(origin)).use(withDefaultScope);
  provider.use(route(pages(provider)));
  return { provider, answer: provider.callback() };
}

const addresses = new WeakMap<IncomingMessage, string>();

/** The address of the client, as the service knows it: the provider knows no trusted proxy. */
export const addressOf = ({ req }: Pick<Context, "req">): string => addresses.get(req) ?? "";

/** Answers what is below /identity, and passes on other requests. */
export const mount =
  (find: () => RequestListener | Promise<RequestListener>): Middleware =>
  async (ctx, next) => {
    if (ctx.path !== MOUNT_PATH && !ctx.path.startsWith(`${MOUNT_PATH}/`)) return next();
    const answer = await find();
    addresses.set(ctx.req, ctx.ip);
    wantBody(ctx);
    ctx.respond = false;
    await answer(ctx.req, ctx.res);
  };

export function showPage(ctx: Pick<Context, "set" | "type" | "body">, body: string): void {
  ctx.set("Cache-Control", "no-store");
  ctx.type = "html";
  ctx.body = body;
}

/** The same page again, by a GET: a reload then sends nothing twice. */
export function again(ctx: Pick<Context, "status" | "redirect" | "originalUrl">): void {
  ctx.status = 303;
  ctx.redirect(ctx.originalUrl);
}

/** In bytes: many times the length of the longest encoded address. */
const LARGEST_FORM = 8 * 1_024;

/** Browsers say whose page sent a form. The cookie of a sign-in is not sent for others' either. */
const OWN_SITES = ["", "same-origin", "none"];

export async function readForm(
  ctx: Pick<Context, "req" | "request" | "get" | "throw">,
): Promise<URLSearchParams> {
  if (!OWN_SITES.includes(ctx.get("Sec-Fetch-Site")))
    ctx.throw(403, "The form was sent by another page.");
  const length = ctx.request.length ?? null;
  const text = await getRawBody(ctx.req, { length, limit: LARGEST_FORM, encoding: "utf-8" });
  return new URLSearchParams(text);
}

const withHeaders =
  ({ readerOf, formAction, script }: FrameParts): Middleware =>
  async (ctx, next) => {
    const policy = signInPolicy(cssOf(await readerOf(ctx)), formAction, script);
    ctx.set("Content-Security-Policy", policy);
    await next();
  };

const withErrorPage =
  (readerOf: ReaderOf): Middleware =>
  async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body == null) ctx.throw(404, "There is no such page.");
    } catch (error) {
      const isMeantForCaller = error instanceof Error && "expose" in error && error.expose === true;
      if (!isMeantForCaller) ctx.app.emit("error", error, ctx);
      const failure = isOutage(error) ? 503 : 500;
      ctx.status = isMeantForCaller && "status" in error ? Number(error.status) : failure;
      const text = isMeantForCaller ? explanationOf(error) : "Something went wrong.";
      showPage(ctx, errorPage(await readerOf(ctx), text));
    }
  };

/** The message of an OAuth error is only its code. */
const explanationOf = (error: Error): string =>
  "error_description" in error ? String(error.error_description) : error.message;

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

/**
 * The provider's addresses, and whether its cookies are for https only, come from the issuer, not
 * from the Host header of a client.
 */
function atOrigin(origin: string): Middleware {
  const protocol = new URL(origin).protocol.slice(0, -1);
  return async (ctx, next) => {
    Object.defineProperty(ctx.request, "href", { value: origin + ctx.originalUrl });
    Object.defineProperty(ctx.request, "protocol", { value: protocol });
    await next();
  };
}

/** Swagger UI sends no scope unless the user ticks one, and the provider then grants nothing. */
const withDefaultScope: Middleware = async (ctx, next) => {
  if (ctx.path === "/auth" && !ctx.query.scope) ctx.query = { ...ctx.query, scope: "openid" };
  await next();
};
