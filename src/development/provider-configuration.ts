import { randomBytes } from "node:crypto";
import {
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
} from "oidc-provider";
import { createMemoryAdapter } from "oidc-provider/lib/adapters/memory_adapter.js";
import { isLoopbackHost } from "../config/formats.ts";
import {
  ACCESS_TOKEN_LIFETIME,
  CLIENT_ID,
  developmentAudience,
  emailClaims,
  MOUNT_PATH,
  WEB_CLIENT_ID,
} from "./access-token.ts";
import { errorPage, signedOutPage, signOutPage } from "./pages.ts";
import type { Accounts } from "./people.ts";
import { SIGNING_ALGORITHM, type SigningKey } from "./signing-key.ts";

export interface ConfigurationParts {
  readonly origin: string;
  readonly key: SigningKey;
  readonly accounts: Accounts;
}

/** In seconds. The provider prints a notice for each one that is not set. */
const ttl = {
  AccessToken: ACCESS_TOKEN_LIFETIME,
  AuthorizationCode: 60,
  IdToken: ACCESS_TOKEN_LIFETIME,
  Interaction: 60 * 60,
  Session: 24 * 60 * 60,
  Grant: 24 * 60 * 60,
  RefreshToken: 24 * 60 * 60,
};

/** PKCE with S256 is not set here, because the provider always requires it of public clients. */
export function providerConfiguration(parts: ConfigurationParts): Configuration {
  const { origin, key, accounts } = parts;
  return {
    adapter: createMemoryAdapter(),
    jwks: { keys: [{ ...key, alg: SIGNING_ALGORITHM, use: "sig" }] },
    // The keys end with the process, like the sessions.
    cookies: { keys: [randomBytes(32)], long: { path: MOUNT_PATH } },
    ttl,
    clientDefaults: {
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
    },
    clients: [
      {
        client_id: CLIENT_ID,
        redirect_uris: [`${origin}/docs/oauth2-redirect.html`, `${origin}/graphiql`],
      },
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
    clientBasedCORS: (_ctx, caller) => caller === origin || isLoopback(caller),
    responseTypes: ["code"],
    // With offline_access and prompt=consent, a client also gets a refresh token.
    scopes: ["openid", "offline_access"],
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    findAccount(_ctx, id) {
      const account = accounts.find(id);
      return account && { accountId: id, claims: () => ({ sub: id, ...emailClaims(account) }) };
    },
    extraTokenClaims(_ctx, token) {
      const account = "accountId" in token ? accounts.find(token.accountId) : undefined;
      return account && emailClaims(account);
    },
    interactions: {
      policy: askForPerson(),
      url: (_ctx, { uid }) => `${MOUNT_PATH}/interaction/${uid}`,
    },
    loadExistingGrant: grantAllScopes,
    renderError(ctx, { error, error_description: explanation }) {
      ctx.type = "html";
      ctx.body = errorPage(explanation ?? error);
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
        logoutSource(ctx, form) {
          ctx.body = signOutPage(form);
        },
        postLogoutSuccessSource(ctx) {
          ctx.body = signedOutPage();
        },
      },
      resourceIndicators: {
        defaultResource: () => origin,
        getResourceServerInfo(_ctx, resource) {
          if (resource !== origin) throw new errors.InvalidTarget();
          return { audience: developmentAudience, scope: "", accessTokenFormat: "jwt" };
        },
      },
    },
  };
}

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

/** Replaces the consent page. */
async function grantAllScopes({ oidc }: KoaContextWithOIDC) {
  const { provider, session, client } = oidc;
  if (session?.accountId === undefined || client === undefined) return undefined;
  const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
  grant.addOIDCScope("openid email offline_access");
  await grant.save();
  return grant;
}

/**
 * Whether only a program on this machine can receive what is sent to this address. Web apps in
 * development are opened under such names, on any port.
 */
export function isLoopback(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === "http:" && isLoopbackHost(url.hostname);
}
