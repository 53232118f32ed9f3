import { type Configuration, errors, type JWK, type KoaContextWithOIDC } from "oidc-provider";
import { MOUNT_PATH, ownTokens, WEB_CLIENT_ID } from "../config/own-issuer.ts";
import { INTERACTION_PATH, type ReaderOf, showPage } from "./frame.ts";
import { errorPage, signedOutPage, signOutPage } from "./pages.ts";

/** A person who can sign in. */
export interface Account {
  readonly id: string;
  readonly email: string;
  /** When the person ended what was signed in elsewhere. */
  readonly signedOutAt?: Date | undefined;
}

type Clients = NonNullable<Configuration["clients"]>;

export interface ConfigurationParts {
  readonly origin: string;
  /** The private keys, of which the first one signs. */
  readonly keys: readonly JWK[];
  /** Clients besides the page at /. */
  readonly clients?: Clients;
  readonly accountOf: (id: string) => Account | undefined | Promise<Account | undefined>;
  /** Whether the pages of an origin may read the answers, besides the service's own. */
  readonly isOfWebApp?: (origin: string) => boolean;
  readonly readerOf: ReaderOf;
}

export const SIGNING_ALGORITHM = "RS256";

/** An hour, in seconds. */
export const ACCESS_TOKEN_LIFETIME = 60 * 60;

export const emailClaims = ({ email }: Account) => ({ email, email_verified: true });

/**
 * What does not depend on how people say who they are. PKCE with S256 is not set here, because the
 * provider always requires it of public clients; it also rotates their refresh tokens, and ends the
 * grant of one that is used twice.
 */
export function configurationOf(parts: ConfigurationParts): Configuration {
  const { origin, keys, clients = [], accountOf, isOfWebApp, readerOf } = parts;
  const { audience } = ownTokens(origin);
  return {
    jwks: { keys: keys.map((key) => ({ ...key, alg: SIGNING_ALGORITHM, use: "sig" })) },
    clientDefaults: {
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
    },
    clients: [
      ...clients,
      {
        client_id: WEB_CLIENT_ID,
        redirect_uris: [`${origin}/`],
        post_logout_redirect_uris: [`${origin}/`],
      },
    ],
    // The page gets a refresh token without a consent page, which offline_access would require.
    issueRefreshToken: async (_ctx, client, code) =>
      client.clientId === WEB_CLIENT_ID ||
      (client.grantTypeAllowed("refresh_token") && code.scopes.has("offline_access")),
    clientAuthMethods: ["none"],
    clientBasedCORS: (_ctx, caller) => caller === origin || isOfWebApp?.(caller) === true,
    responseTypes: ["code"],
    // With offline_access and prompt=consent, a client also gets a refresh token.
    scopes: ["openid", "offline_access"],
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    async findAccount(_ctx, id) {
      const account = await accountOf(id);
      return account && { accountId: id, claims: () => ({ sub: id, ...emailClaims(account) }) };
    },
    async extraTokenClaims(_ctx, token) {
      const account = "accountId" in token ? await accountOf(token.accountId) : undefined;
      return account && emailClaims(account);
    },
    interactions: { url: addressOfInteraction },
    loadExistingGrant: grantAllScopes,
    async renderError(ctx, { error, error_description: explanation }) {
      showPage(ctx, errorPage(await readerOf(ctx), explanation ?? error));
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      // It does not accept the access tokens of this API, and the ID token has the same claims.
      userinfo: { enabled: false },
      // The page withdraws its refresh token when somebody signs out.
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      rpInitiatedLogout: {
        async logoutSource(ctx, form) {
          ctx.body = signOutPage(await readerOf(ctx), form);
        },
        async postLogoutSuccessSource(ctx) {
          ctx.body = signedOutPage(await readerOf(ctx));
        },
      },
      resourceIndicators: {
        defaultResource: () => origin,
        getResourceServerInfo(_ctx, resource) {
          if (resource !== origin) throw new errors.InvalidTarget();
          return { audience, scope: "", accessTokenFormat: "jwt" };
        },
      },
    },
  };
}

/** The language that the page asked for stays in the address: forms lead to it again. */
function addressOfInteraction({ oidc }: KoaContextWithOIDC, { uid }: { readonly uid: string }) {
  const path = MOUNT_PATH + INTERACTION_PATH.replace(":uid", uid);
  const language = oidc.params?.ui_locales;
  return typeof language === "string"
    ? `${path}?${new URLSearchParams({ ui_locales: language })}`
    : path;
}

/** Replaces the consent page. The grant of a session is used again. */
async function grantAllScopes({ oidc }: KoaContextWithOIDC) {
  const { provider, session, client } = oidc;
  if (session?.accountId === undefined || client === undefined) return undefined;
  const known = session.grantIdFor(client.clientId);
  const found = known === undefined ? undefined : await provider.Grant.find(known);
  if (found?.accountId === session.accountId) return found;
  const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
  grant.addOIDCScope("openid email offline_access");
  await grant.save();
  return grant;
}
