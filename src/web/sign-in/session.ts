import { ofTab, parsed, shared } from "../storage.ts";
import { createStore } from "../store.ts";
import { mayLeave } from "../unsaved.ts";
import { SignInFailure } from "./failure.ts";
import { forget, keepFor } from "./kept.ts";
import {
  ATTEMPT_KEY,
  type Attempt,
  currentTokens,
  dropTokens,
  hasEnded,
  hint,
  PROVIDER_KEY,
  type Received,
  setTokens,
  storedTokens,
  TOKENS_KEY,
  takeStoredTokens,
} from "./tokens.ts";

export type Session =
  | { readonly state: "starting" }
  /** While it `waits`, the page asks the provider again by itself. */
  | { readonly state: "out"; readonly failure?: SignInFailure; readonly waits?: boolean }
  /** `subject` identifies the person, if the provider gives it. */
  | { readonly state: "in"; readonly subject?: string };

export const session = createStore<Session>({ state: "starting" });

/** Without a network, it can be neither loaded nor asked. */
export const loadProvider = () =>
  import("./provider.ts").catch((cause) => {
    throw new SignInFailure("signIn.unreachable", cause);
  });

/** Not a secret. It says that a silent attempt is worth while. The tabs of a browser share it. */
const FLAG = "signed-in";

const isFlagged = (): boolean => shared.read(FLAG) !== undefined;

/** The pause before asking a provider again that does not answer, in milliseconds. */
const AGAIN = 5_000;

/** Finds out who is signed in: from a redirect, from stored tokens, or with a silent attempt. */
export async function startSession(): Promise<void> {
  // Another tab has signed out or signed in another person, or the browser shows an old page again
  // after that.
  addEventListener("storage", ({ key }) => {
    if (key === TOKENS_KEY && isOfSomebodyElse()) location.reload();
    if (!isFlagged() && session.get().state === "in") location.reload();
    if (key === FLAG && isFlagged() && session.get().state === "out") location.reload();
  });
  addEventListener("pageshow", ({ persisted }) => {
    const isOfNow = session.get().state === (isFlagged() ? "in" : "out") && !isOfSomebodyElse();
    if (persisted && !isOfNow) location.reload();
  });

  const returned = takeReturn();
  if (returned === undefined) {
    if (!isFlagged()) return session.set({ state: "out" });
    return takeStoredTokens() && isUsable() ? begin() : resume();
  }
  const tokens = await returned.catch((failure: SignInFailure) => failure);
  if (tokens instanceof SignInFailure) {
    if (tokens.text === "signIn.unreachable" && isFlagged()) return resume();
    return session.set({ state: "out", failure: tokens });
  }
  if (tokens === undefined) {
    wipe();
    return session.set({ state: "out" });
  }
  dropTokens();
  setTokens(tokens);
  shared.write(FLAG, "yes");
  return begin();
}

/** The tokens of the provider's answer, if the browser comes from there. */
function takeReturn(): Promise<Received | undefined> | undefined {
  const parameters = new URLSearchParams(location.search);
  if (!parameters.has("state") || !(parameters.has("code") || parameters.has("error"))) return;
  const attempt = parsed<Attempt>(ofTab.read(ATTEMPT_KEY));
  ofTab.remove(ATTEMPT_KEY);
  // A code works only once, so its address must not stay in the history.
  history.replaceState(null, "", attempt?.returnTo ?? "/");
  if (attempt === undefined || attempt.state !== parameters.get("state")) return;
  return loadProvider().then(({ exchange }) => exchange(parameters, attempt));
}

/** Whether the tokens work without a redirect to the provider. */
const isUsable = (): boolean => !hasEnded() || currentTokens()?.refreshToken !== undefined;

const isOfSomebodyElse = (): boolean => {
  const stored = storedTokens();
  return (
    stored !== undefined &&
    currentTokens() !== undefined &&
    stored.subject !== currentTokens()?.subject
  );
};

function begin(): void {
  const subject = currentTokens()?.subject;
  keepFor(subject);
  session.set({ state: "in", ...(subject !== undefined && { subject }) });
}

function wipe(): void {
  shared.remove(FLAG);
  ofTab.clear();
  dropTokens();
  shared.remove(PROVIDER_KEY);
  forget();
}

/** Asks the provider silently, as soon as it answers. */
async function resume(): Promise<void> {
  try {
    await (await loadProvider()).goToProvider({ silent: true, hint: hint() });
  } catch (error) {
    const failure = error as SignInFailure;
    const waits = failure.text === "signIn.unreachable";
    // Until then the page shows stored data, and each request asks the provider again.
    if (waits && currentTokens() !== undefined) return begin();
    session.set({ state: "out", failure, waits });
    if (waits) setTimeout(() => isFlagged() && resume(), AGAIN);
  }
}

/** Goes to the provider, which asks the person. The page continues after the redirect. */
export async function signIn(): Promise<void> {
  try {
    await (await loadProvider()).goToProvider({ silent: false });
  } catch (error) {
    session.set({ ...session.get(), state: "out", failure: error as SignInFailure });
  }
}

/** @param before the last requests of the person, which may fail */
export async function signOut(before: () => Promise<unknown>): Promise<void> {
  if (!mayLeave()) return;
  await before().catch(() => {});
  const idToken = hint();
  const refreshToken = currentTokens()?.refreshToken;
  // From here on, a running request cannot sign in again: see requireSession.
  session.set({ state: "starting" });
  wipe();
  try {
    const url = await (await loadProvider()).leaveProvider(refreshToken, idToken);
    location.assign(url ?? "/");
  } catch (cause) {
    session.set({ state: "out", failure: new SignInFailure("signIn.onlyHere", cause) });
  }
}

/** Gives up: nothing works with these tokens, and new ones from this provider would not help. */
export function endSession(failure: SignInFailure): void {
  dropTokens();
  forget();
  session.set({ state: "out", failure });
}

/**
 * @throws SignInFailure if the person has signed out, or another person has signed in, here or in
 *   another tab
 */
export function requireSession(): void {
  if (session.get().state !== "in" || !isFlagged() || isOfSomebodyElse()) {
    throw new SignInFailure("signIn.ended");
  }
}
