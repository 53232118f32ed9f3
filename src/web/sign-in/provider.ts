import * as oauth from "oauth4webapi";
import { settings } from "../settings.ts";
import { parsed, shared } from "../storage.ts";
import { now } from "../time/now.ts";
import { SignInFailure } from "./failure.ts";

export const client: oauth.Client = {
  client_id: settings.clientId,
  /** By the clock of the device, a new ID token may have ended. */
  get [oauth.clockSkew]() {
    return Math.round((now() - Date.now()) / 1_000);
  },
};
export const clientAuthentication = oauth.None();

/** How long the provider may take for an answer, in milliseconds. */
const PATIENCE = 10_000;

export const options = {
  /** A development provider answers on loopback, without https. */
  [oauth.allowInsecureRequests]: settings.issuer.startsWith("http:"),
  [oauth.customFetch]: ask,
};

type Asked = oauth.CustomFetchOptions<string, URLSearchParams | undefined>;

/** An answer that says only that there is none now, such as a proxy's 502, counts as none. */
async function ask(url: string, request: Asked): Promise<Response> {
  const { body = null, headers, method, redirect } = request;
  const signal = AbortSignal.timeout(PATIENCE);
  const sent = { body, headers, method, redirect, signal, cache: "no-store" } as const;
  const response = await fetch(url, sent).catch((cause) => {
    throw new SignInFailure("signIn.unreachable", cause);
  });
  if (response.status >= 500 || response.status === 429) {
    throw new SignInFailure("signIn.unreachable", new Error(`${response.status} ${url}`));
  }
  return response;
}

/** The one address that the provider redirects to. The screen to return to is kept here. */
export const redirectUri = `${location.origin}/`;

const KEPT_AS = "provider";

/**
 * The provider's endpoints, asked for anew: who leaves the page for a provider that does not
 * answer ends at the browser's error page.
 */
export async function askProvider(): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(settings.issuer);
  const response = await oauth.discoveryRequest(issuer, options);
  return oauth.processDiscoveryResponse(issuer, response);
}

export function keepProvider(provider: oauth.AuthorizationServer): void {
  shared.write(KEPT_AS, JSON.stringify(provider));
}

export const forgetProvider = (): void => shared.remove(KEPT_AS);

/** The same, as this browser last left for it. */
export async function knownProvider(): Promise<oauth.AuthorizationServer> {
  return parsed<oauth.AuthorizationServer>(shared.read(KEPT_AS)) ?? askProvider();
}

/**
 * Withdraws a refresh token, where the provider can (RFC 7009): it may outlive the provider's session.
 * That ends all the same where this fails.
 */
export async function revoke(provider: oauth.AuthorizationServer, token: string): Promise<void> {
  if (provider.revocation_endpoint === undefined) return;
  await oauth
    .revocationRequest(provider, client, clientAuthentication, token, options)
    .catch(() => {});
}
