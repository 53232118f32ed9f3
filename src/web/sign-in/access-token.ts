import { ofTab } from "../storage.ts";
import { isTyped } from "../unsaved.ts";
import { SignInFailure } from "./failure.ts";
import { endSession, loadProvider, requireSession } from "./session.ts";
import { currentTokens, hasEnded, hint, isDue, setTokens, takeStoredTokens } from "./tokens.ts";

/** The number of tokens in a row that the service has refused. It must outlive redirects. */
const REFUSALS = "refused-tokens";

/** A new token helps if the old one was withdrawn. After two, another one does not help. */
const MOST_REFUSALS = 2;

/**
 * Returns the token for a request.
 * @throws SignInFailure if there is none and none can be fetched now
 */
export async function accessToken(): Promise<string> {
  requireSession();
  if (isDue()) {
    await renew().catch((error) => {
      if (hasEnded()) throw error;
    });
  }
  requireSession();
  return currentTokens()?.accessToken ?? "";
}

/** Called when the service has accepted the token of a request. */
export const tokenAccepted = (): void => ofTab.remove(REFUSALS);

/**
 * Called when the service has refused this token. Fetches another, unless that failed too often.
 */
export async function replaceToken(refused: string): Promise<void> {
  requireSession();
  // Another request may have replaced it in the meantime.
  if (currentTokens()?.accessToken !== refused) return;
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
    // There was no new token, so this attempt does not count.
    ofTab.write(REFUSALS, String(refusals - 1));
    throw error;
  });
}

/** In milliseconds. */
const UNTIL_OTHERS_HAVE_IT = 100;

let renewing: Promise<void> | undefined;

/** Renews with the refresh token, or else with a silent redirect, which reloads the page. */
function renew(): Promise<void> {
  renewing ??= renewOnce().finally(() => {
    renewing = undefined;
  });
  return renewing;
}

async function renewOnce(): Promise<void> {
  // One tab at a time: a refresh token that works only once must not be used twice.
  const isRenewed = await navigator.locks.request("tokens", renewByRefreshToken);
  if (isRenewed) return;
  requireNothingTyped();
  await (await loadProvider()).goToProvider({
    silent: true,
    hint: hint(),
    check: requireNothingTyped,
  });
}

/** A redirect to the provider would lose typed text. */
function requireNothingTyped(): void {
  requireSession();
  if (isTyped()) throw new SignInFailure("signIn.unsaved");
}

async function renewByRefreshToken(): Promise<boolean> {
  if (takeStoredTokens() && !isDue()) return true;
  const token = currentTokens()?.refreshToken;
  const renewed = token && (await (await loadProvider()).refresh(token));
  requireSession();
  if (!renewed) return false;
  setTokens(renewed);
  // The storage of another tab gets the tokens a moment later, and that tab must not read before.
  await new Promise((resume) => setTimeout(resume, UNTIL_OTHERS_HAVE_IT));
  return true;
}
