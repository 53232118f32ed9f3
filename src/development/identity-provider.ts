import type { Middleware } from "koa";
import { Provider } from "oidc-provider";
import { issuerAt } from "./access-token.ts";
import { createAccounts } from "./accounts.ts";
import { isLoopback } from "./loopback.ts";
import { mount } from "./mount.ts";
import type { Person } from "./people.ts";
import { providerConfiguration } from "./provider-configuration.ts";
import { signInRoutes } from "./sign-in.ts";
import { loadSigningKey } from "./signing-key.ts";

export interface IdentityProviderOptions {
  /** Where the service answers, e.g. http://127.0.0.1:3000. The issuer is `${origin}/identity`. */
  readonly origin: string;
  /** Audience of the access tokens: this API. */
  readonly audience: string;
  /** Holds the signing key, so that tokens survive a restart. */
  readonly dataDir: string;
  readonly people: readonly Person[];
}

export interface IdentityProvider {
  readonly issuer: string;
  /** Answers everything below /identity, and passes other requests on. */
  readonly middleware: Middleware;
}

/** Signs anybody in as anyone, without a password: for development only. */
export async function createIdentityProvider(
  options: IdentityProviderOptions,
): Promise<IdentityProvider> {
  const { origin, audience, dataDir, people } = options;
  const issuer = issuerAt(origin);
  const accounts = createAccounts(people);
  const key = await loadSigningKey(dataDir);
  const provider = new Provider(issuer, providerConfiguration({ origin, audience, key, accounts }));
  admitLoopbackClients(provider);
  const signIn = signInRoutes(provider, accounts, people);
  return { issuer, middleware: mount(provider, origin, signIn) };
}

/** Web apps under development have any port and any path, which a client's fixed list cannot hold. */
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
