import { randomBytes } from "node:crypto";
import type { Middleware } from "koa";
import { interactionPolicy, type Provider } from "oidc-provider";
import { createMemoryAdapter } from "oidc-provider/lib/adapters/memory_adapter.js";
import { isLoopbackHost } from "../config/formats.ts";
import { MOUNT_PATH } from "../config/own-issuer.ts";
import type { Endpoint, Entry } from "../http/router.ts";
import { ACCESS_TOKEN_LIFETIME, configurationOf } from "../identity/configuration.ts";
import { createFrame, INTERACTION_PATH, mount, readForm, showPage } from "../identity/frame.ts";
import { signInTexts } from "../texts/sign-in.ts";
import { CLIENT_ID } from "./access-token.ts";
import { FORM_ACTION, signInPage } from "./pages.ts";
import { type Accounts, createAccounts, type Person, people } from "./people.ts";
import { loadSigningKey } from "./signing-key.ts";

export interface IdentityProviderOptions {
  /** The origin of the service, e.g. http://127.0.0.1:3000. The issuer is `${origin}/identity`. */
  readonly origin: string;
  /** The folder of the signing key, so that tokens survive a restart. */
  readonly dataDir: string;
  /** The people that the sign-in page lists. */
  readonly residents?: readonly Person[];
}

const DAY = 24 * 60 * 60;

/** In seconds. The provider prints a notice for each one that is not set. */
const ttl = {
  AccessToken: ACCESS_TOKEN_LIFETIME,
  AuthorizationCode: 60,
  IdToken: ACCESS_TOKEN_LIFETIME,
  Interaction: 60 * 60,
  Session: DAY,
  Grant: DAY,
  RefreshToken: DAY,
};

/** Developers read English. */
const reader = { language: "en", texts: signInTexts.en, name: signInTexts.en.building } as const;

/**
 * Signs in anybody as anyone, without a password: for development only. It answers everything below
 * /identity, and passes on other requests.
 */
export async function createIdentityProvider({
  origin,
  dataDir,
  residents = Object.values(people),
}: IdentityProviderOptions): Promise<Middleware> {
  const accounts = createAccounts(residents);
  const common = configurationOf({
    origin,
    keys: [await loadSigningKey(dataDir)],
    clients: [
      {
        client_id: CLIENT_ID,
        redirect_uris: [`${origin}/docs/oauth2-redirect.html`, `${origin}/graphiql`],
      },
    ],
    accountOf: accounts.find,
    isOfWebApp: isLoopback,
    readerOf: async () => reader,
  });
  const { provider, answer } = createFrame({
    origin,
    configuration: {
      ...common,
      interactions: { ...common.interactions, policy: askForPerson() },
      adapter: createMemoryAdapter(),
      // The keys end with the process, like the sessions.
      cookies: { keys: [randomBytes(32)], long: { path: MOUNT_PATH } },
      ttl,
    },
    formAction: FORM_ACTION,
    readerOf: async () => reader,
    before: [admitPopUps, notThroughProxy, underOneName(origin)],
    pages: (itself) => entries(itself, accounts, residents),
  });
  admitLoopbackClients(provider);
  return mount(() => answer);
}

function entries(
  provider: Provider,
  accounts: Accounts,
  residents: readonly Person[],
): readonly Entry[] {
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
  return [
    { method: "GET", path: INTERACTION_PATH, answer: ask },
    { method: "POST", path: INTERACTION_PATH, answer: signIn },
  ];
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

/**
 * Whether only a program on this machine can receive what is sent to this address. Web apps in
 * development are opened under such names, on any port.
 */
export function isLoopback(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === "http:" && isLoopbackHost(url.hostname);
}

/** A redirect URI must not have a fragment (RFC 6749, 3.1.2). */
const isLoopbackPage = (uri: string): boolean => isLoopback(uri) && !uri.includes("#");

/**
 * Asks for a person at every sign-in, so that a developer can switch between people. With
 * `prompt=none` it uses the person of the session, as silent renewal requires.
 */
function askForPerson(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base();
  const notAsked = new interactionPolicy.Check(
    "person_not_chosen",
    "a person has to be chosen",
    "login_required",
    ({ oidc }) => !oidc.prompts.has("none") && oidc.result?.login === undefined,
  );
  policy.get("login")?.checks.add(notAsked);
  return policy;
}

/** Headers that proxies add to a request (RFC 7239 and its forerunners). */
const ADDED_BY_PROXIES = /^(?:forwarded|via|x-forwarded-.*|x-real-ip)$/;

/** Only people at this machine sign in without a password, but a proxy may let in others. */
const notThroughProxy: Middleware = (ctx, next) => {
  const isForwarded = Object.keys(ctx.headers).some((name) => ADDED_BY_PROXIES.test(name));
  if (isForwarded) ctx.throw(403, "The sign-in of development does not serve through a proxy.");
  return next();
};

/** helmet's opener policy would separate a pop-up from the web app that waits for its code. */
const admitPopUps: Middleware = (ctx, next) => {
  ctx.set("Cross-Origin-Opener-Policy", "unsafe-none");
  return next();
};

/** The pages where a browser starts and gets the cookies for the later steps. */
const ENTRANCES = [`${MOUNT_PATH}/auth`, `${MOUNT_PATH}/session/end`];

/**
 * A browser that starts under another name of this machine is redirected, because otherwise it would
 * lose its cookies half-way.
 */
function underOneName(origin: string): Middleware {
  const { host } = new URL(origin);
  return (ctx, next) => {
    if (ctx.host === host || !ENTRANCES.includes(ctx.path)) return next();
    ctx.redirect(origin + ctx.originalUrl);
  };
}
