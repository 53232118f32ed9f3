import * as oauth from "oauth4webapi";
import { isTyped } from "../routing.ts";
import { ofTab } from "../storage.ts";
import { failureOf, SignInFailure } from "./failure.ts";
import { client, clientAuthentication, knownProvider, options } from "./provider.ts";
import { goToProvider } from "./redirect.ts";
import { endSession, requireSession } from "./session.ts";
import { hasEnded, heldTokens, hint, holdTokens, isDue, takeKeptTokens } from "./tokens.ts";

/** How many tokens in a row the service has refused. It has to outlive the redirects. */
const REFUSALS = "refused-tokens";

/** A new token helps where the old one was withdrawn; after two, another helps no more. */
const MOST_REFUSALS = 2;

/**
 * The token for a request.
 * @throws SignInFailure where there is none and none can be had now
 */
export async function accessToken(): Promise<string> {
  requireSession();
  if (isDue()) {
    await renew().catch((error) => {
      if (hasEnded()) throw error;
    });
  }
  requireSession();
  return heldTokens()?.accessToken ?? "";
}

/** The service has accepted the token of a request. */
export const tokenAccepted = (): void => ofTab.remove(REFUSALS);

/** The service has refused this token: gets another, unless that was tried often enough. */
export async function replaceToken(refused: string): Promise<void> {
  requireSession();
  // Another request may have replaced it meanwhile.
  if (heldTokens()?.accessToken !== refused) return;
  await (renewing ?? replace());
}

async function replace(): Promise<void> {
  const refusals = Number(ofTab.read(REFUSALS) ?? 0) + 1;
  if (refusals > MOST_REFUSALS) {
    const failure = new SignInFailure("signIn.notAccepted");
    endSession(failure);
    throw failure;
  }
  ofTab.write(REFUSALS, String(refusals));
  await renew().catch((error) => {
    // There was none: this one does not count again.
    ofTab.write(REFUSALS, String(refusals - 1));
    throw error;
  });
}

/** In milliseconds. */
const UNTIL_OTHERS_HAVE_IT = 100;

let renewing: Promise<void> | undefined;

/** By the refresh token, or else by a silent redirect, which reloads the page. */
function renew(): Promise<void> {
  renewing ??= renewOnce()
    .catch((error) => {
      throw failureOf(error);
    })
    .finally(() => {
      renewing = undefined;
    });
  return renewing;
}

async function renewOnce(): Promise<void> {
  // One tab after the other: a refresh token that is good once must not be used twice.
  const isRenewed = await navigator.locks.request("tokens", renewByRefreshToken);
  if (isRenewed) return;
  requireNothingTyped();
  await goToProvider({ silent: true, hint: hint(), check: requireNothingTyped });
}

/** The way through the provider would take it. */
function requireNothingTyped(): void {
  requireSession();
  if (isTyped()) throw new SignInFailure("signIn.unsaved");
}

async function renewByRefreshToken(): Promise<boolean> {
  if (takeKeptTokens() && !isDue()) return true;
  const token = heldTokens()?.refreshToken;
  const renewed = token === undefined ? undefined : await refresh(token);
  requireSession();
  if (renewed === undefined) return false;
  holdTokens(renewed);
  // The storage of another tab has them a moment later, and may not be read before.
  await new Promise((resume) => setTimeout(resume, UNTIL_OTHERS_HAVE_IT));
  return true;
}

/** Undefined where the provider refuses, in whatever form: it is then asked by a redirect. */
async function refresh(token: string): Promise<oauth.TokenEndpointResponse | undefined> {
  const provider = await knownProvider();
  const response = await oauth.refreshTokenGrantRequest(
    provider,
    client,
    clientAuthentication,
    token,
    options,
  );
  if (response.status >= 400) return undefined;
  return oauth.processRefreshTokenResponse(provider, client, response);
}
