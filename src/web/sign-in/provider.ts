import * as oauth from "oauth4webapi";
import { settings } from "../settings.ts";

export const client: oauth.Client = { client_id: settings.clientId };
export const clientAuthentication = oauth.None();

/** A development provider answers on loopback, without https. */
export const options = {
  [oauth.allowInsecureRequests]: settings.issuer.startsWith("http:"),
};

/** The one address that the provider redirects to. The screen to return to is kept here. */
export const redirectUri = `${location.origin}/`;

const KEPT_AS = "provider";

/** The provider's endpoints. They are kept for a tab, so that a reload does not wait for them. */
export async function discover(): Promise<oauth.AuthorizationServer> {
  const kept = sessionStorage.getItem(KEPT_AS);
  if (kept !== null) return JSON.parse(kept);
  const issuer = new URL(settings.issuer);
  const response = await oauth.discoveryRequest(issuer, options);
  const provider = await oauth.processDiscoveryResponse(issuer, response);
  sessionStorage.setItem(KEPT_AS, JSON.stringify(provider));
  return provider;
}
