import * as oauth from "oauth4webapi";
import { settings } from "../settings.ts";
import { parsed, shared } from "../storage.ts";
import { now } from "../time/now.ts";
import { SignInFailure } from "./failure.ts";

export const client: oauth.Client = {
  client_id: settings.clientId,
  /** By the clock of the device, a new ID token may already have expired. */
  get [oauth.clockSkew]() {
    return Math.round((now() - Date.now()) / 1_000);
  },
};
export const clientAuthentication = oauth.None();

/** The longest time to wait for an answer of the provider, in milliseconds. */
const PATIENCE = 10_000;

export const options = {
  /** A provider in development answers on loopback without https. */
  [oauth.allowInsecureRequests]: settings.issuer.startsWith("http:"),
  [oauth.customFetch]: ask,
};

type Asked = oauth.CustomFetchOptions<string, URLSearchParams | undefined>;

/** An answer that only means that there is none now, such as a proxy's 502, counts as no answer. */
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

/** The only address to which the provider redirects. The screen to return to is stored here. */
export const redirectUri = `${location.origin}/`;

const KEPT_AS = "provider";

/**
 * Reads the provider's endpoints again. A person who leaves the page for a provider that does not
 * answer would end at the browser's error page.
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

/** The endpoints that this browser last used, or else those that the provider returns now. */
export async function knownProvider(): Promise<oauth.AuthorizationServer> {
  return parsed<oauth.AuthorizationServer>(shared.read(KEPT_AS)) ?? askProvider();
}

/**
 * Revokes a refresh token, if the provider supports it (RFC 7009), because the token may outlive
 * the provider's session. If this fails, signing out continues.
 */
export async function revoke(provider: oauth.AuthorizationServer, token: string): Promise<void> {
  if (provider.revocation_endpoint === undefined) return;
  await oauth
    .revocationRequest(provider, client, clientAuthentication, token, options)
    .catch(() => {});
}
