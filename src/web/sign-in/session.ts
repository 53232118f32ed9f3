import * as oauth from "oauth4webapi";
import { createStore } from "../store.ts";
import { client, clientAuthentication, discover, options, redirectUri } from "./provider.ts";
import { goToProvider, returnFromProvider } from "./redirect.ts";

/** Whether somebody is signed in. */
export type Session =
  | { readonly state: "starting" }
  | { readonly state: "out"; readonly reason?: string }
  /** `subject` is who the provider says it is, where it says so. */
  | { readonly state: "in"; readonly subject?: string };

export const session = createStore<Session>({ state: "starting" });

/** In memory only: nothing that could be stolen outlives the page. */
let tokens: oauth.TokenEndpointResponse | undefined;
let expiresAt = Number.POSITIVE_INFINITY;

/** Not a secret: it says that a silent attempt is worth while. Shared by the tabs of a browser. */
const FLAG = "signed-in";

/** A token that ends sooner is renewed before it is used, in milliseconds. */
const MARGIN = 30_000;

/** Finds out who is signed in: from the provider's redirect, or by asking it silently. */
export async function startSession(): Promise<void> {
  // Another tab has signed out.
  addEventListener("storage", ({ key, newValue }) => {
    if (key === FLAG && newValue === null && tokens !== undefined) location.reload();
  });
  const returned = await returnFromProvider();
  if (returned.outcome === "tokens") {
    keep(returned.tokens);
    const subject = oauth.getValidatedIdTokenClaims(returned.tokens)?.sub;
    return session.set({ state: "in", ...(subject !== undefined && { subject }) });
  }
  if (returned.outcome === "refused") {
    localStorage.removeItem(FLAG);
    return session.set({ state: "out", ...(!returned.silent && { reason: returned.reason }) });
  }
  if (localStorage.getItem(FLAG) === null) return session.set({ state: "out" });
  return signIn({ silent: true });
}

/** Leaves for the provider; the page continues after its redirect. */
export async function signIn({ silent } = { silent: false }): Promise<void> {
  try {
    await goToProvider({ silent });
  } catch (error) {
    session.set({ state: "out", reason: String(error) });
  }
}

export async function signOut(): Promise<void> {
  localStorage.removeItem(FLAG);
  sessionStorage.clear();
  const idToken = tokens?.id_token;
  tokens = undefined;
  const { end_session_endpoint: endpoint } = await discover();
  if (endpoint === undefined) return location.assign("/");
  const url = new URL(endpoint);
  url.searchParams.set("client_id", client.client_id);
  url.searchParams.set("post_logout_redirect_uri", redirectUri);
  if (idToken !== undefined) url.searchParams.set("id_token_hint", idToken);
  location.assign(url);
}

export async function accessToken(): Promise<string> {
  if (expiresAt - Date.now() < MARGIN) await renewToken();
  return tokens?.access_token ?? "";
}

let renewing: Promise<void> | undefined;

/** Gets another token: by the refresh token, or else by a silent redirect, which reloads the page. */
export function renewToken(): Promise<void> {
  renewing ??= renew().finally(() => {
    renewing = undefined;
  });
  return renewing;
}

async function renew(): Promise<void> {
  const refreshToken = tokens?.refresh_token;
  if (refreshToken === undefined) return goToProvider({ silent: true });
  const provider = await discover();
  const response = await oauth.refreshTokenGrantRequest(
    provider,
    client,
    clientAuthentication,
    refreshToken,
    options,
  );
  try {
    const renewed = await oauth.processRefreshTokenResponse(provider, client, response);
    // Some providers keep the refresh token, and the ID token comes only once.
    keep({ ...tokens, ...renewed });
  } catch (error) {
    if (!(error instanceof oauth.ResponseBodyError)) throw error;
    await goToProvider({ silent: true });
  }
}

function keep(received: oauth.TokenEndpointResponse): void {
  tokens = received;
  const { expires_in: lifetime } = received;
  expiresAt = lifetime === undefined ? Number.POSITIVE_INFINITY : Date.now() + lifetime * 1_000;
  localStorage.setItem(FLAG, "yes");
}
