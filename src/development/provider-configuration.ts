import { randomBytes } from "node:crypto";
import { type Configuration, errors, type ResourceServer } from "oidc-provider";
import { createMemoryAdapter } from "oidc-provider/lib/adapters/memory_adapter.js";
import {
  ACCESS_TOKEN_LIFETIME,
  CLIENT_ID,
  emailClaims,
  MOUNT_PATH,
  WEB_CLIENT_ID,
} from "./access-token.ts";
import type { Accounts } from "./accounts.ts";
import { isLoopback } from "./loopback.ts";
import { errorPage, signedOutPage, signOutPage } from "./pages.ts";
import { askForPerson, grantAllScopes } from "./prompts.ts";
import { SIGNING_ALGORITHM, type SigningKey } from "./signing-key.ts";

export interface ConfigurationParts {
  readonly origin: string;
  readonly audience: string;
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

/** PKCE with S256 is not set here: the provider always requires it of a public client. */
export function providerConfiguration(parts: ConfigurationParts): Configuration {
  const { origin, audience, key, accounts } = parts;
  return {
    adapter: createMemoryAdapter(),
    jwks: { keys: [{ ...key, alg: SIGNING_ALGORITHM, use: "sig" }] },
    // The keys end with the process, as the sessions do.
    cookies: { keys: [randomBytes(32)], long: { path: MOUNT_PATH } },
    ttl,
    clients: [
      {
        client_id: CLIENT_ID,
        token_endpoint_auth_method: "none",
        redirect_uris: [`${origin}/docs/oauth2-redirect.html`, `${origin}/graphiql`],
        grant_types: ["authorization_code", "refresh_token"],
      },
      {
        client_id: WEB_CLIENT_ID,
        token_endpoint_auth_method: "none",
        redirect_uris: [`${origin}/`],
        post_logout_redirect_uris: [`${origin}/`],
        grant_types: ["authorization_code", "refresh_token"],
      },
    ],
    // The page gets one without a page that asks for consent, which offline_access would need.
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
      // It does not accept this API's access tokens, and the ID token has the same claims.
      userinfo: { enabled: false },
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
          return thisApi(audience);
        },
      },
    },
  };
}

const thisApi = (audience: string): ResourceServer => ({
  audience,
  scope: "",
  accessTokenFormat: "jwt",
});
