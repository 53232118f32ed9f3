import { mayLeave } from "../routing.ts";
import { ofTab, shared } from "../storage.ts";
import { createStore } from "../store.ts";
import { failureOf, SignInFailure } from "./failure.ts";
import { forget, keepFor } from "./kept.ts";
import { askProvider, client, forgetProvider, redirectUri, revoke } from "./provider.ts";
import { goToProvider, returnFromProvider } from "./redirect.ts";
import {
  dropTokens,
  hasEnded,
  heldTokens,
  hint,
  holdTokens,
  keptTokens,
  TOKENS_ARE_KEPT_AS,
  takeKeptTokens,
} from "./tokens.ts";

/** Whether somebody is signed in. */
export type Session =
  | { readonly state: "starting" }
  /** While it `waits`, the page asks the provider again by itself. */
  | { readonly state: "out"; readonly failure?: SignInFailure; readonly waits?: boolean }
  /** `subject` is who the provider says it is, where it says so. */
  | { readonly state: "in"; readonly subject?: string };

export const session = createStore<Session>({ state: "starting" });

/** Not a secret: it says that a silent attempt is worth while. Shared by the tabs of a browser. */
const FLAG = "signed-in";

const isFlagged = (): boolean => shared.read(FLAG) !== undefined;

/** How soon a provider that does not answer is asked again, in milliseconds. */
const AGAIN = 5_000;

/** Finds out who is signed in: from the provider's redirect, from what is kept, or by asking silently. */
export async function startSession(): Promise<void> {
  // Another tab has signed out or signed somebody in, or the browser shows a page again whose
  // person has.
  addEventListener("storage", ({ key }) => {
    if (key === TOKENS_ARE_KEPT_AS && isOfSomebodyElse()) location.reload();
    if (!isFlagged() && session.get().state === "in") location.reload();
    if (key === FLAG && isFlagged() && session.get().state === "out") location.reload();
  });
  addEventListener("pageshow", ({ persisted }) => {
    const isOfNow = session.get().state === (isFlagged() ? "in" : "out") && !isOfSomebodyElse();
    if (persisted && !isOfNow) location.reload();
  });

  const returned = await returnFromProvider();
  if (returned.outcome === "tokens") {
    dropTokens();
    holdTokens(returned.tokens);
    shared.write(FLAG, "yes");
    return begin();
  }
  if (returned.outcome === "none") {
    if (!isFlagged()) return session.set({ state: "out" });
    return takeKeptTokens() && isUsable() ? begin() : resume();
  }
  const { failure } = returned;
  if (failure === undefined) wipe();
  if (failure?.text === "signIn.unreachable" && isFlagged()) return resume();
  return session.set({ state: "out", ...(failure && { failure }) });
}

/** Without a way through the provider. */
const isUsable = (): boolean => !hasEnded() || heldTokens()?.refreshToken !== undefined;

const isOfSomebodyElse = (): boolean => {
  const kept = keptTokens();
  return kept !== undefined && heldTokens() !== undefined && kept.subject !== heldTokens()?.subject;
};

function begin(): void {
  const subject = heldTokens()?.subject;
  keepFor(subject);
  session.set({ state: "in", ...(subject !== undefined && { subject }) });
}

/** Nothing of the person is left in this browser. */
function wipe(): void {
  shared.remove(FLAG);
  ofTab.clear();
  dropTokens();
  forgetProvider();
  forget();
}

/** Asks the provider silently, as soon as it answers. */
async function resume(): Promise<void> {
  try {
    await goToProvider({ silent: true, hint: hint() });
  } catch (error) {
    const failure = failureOf(error);
    const waits = failure.text === "signIn.unreachable";
    // What is kept is shown meanwhile, and each request asks the provider again.
    if (waits && heldTokens() !== undefined) return begin();
    session.set({ state: "out", failure, waits });
    if (waits) setTimeout(() => isFlagged() && resume(), AGAIN);
  }
}

/** Leaves for the provider, which asks the person; the page continues after its redirect. */
export async function signIn(): Promise<void> {
  try {
    await goToProvider({ silent: false });
  } catch (error) {
    session.set({ ...session.get(), state: "out", failure: failureOf(error) });
  }
}

export async function signOut(): Promise<void> {
  if (!mayLeave()) return;
  const idToken = hint();
  const refreshToken = heldTokens()?.refreshToken;
  // From here on, no request that is under way can sign in again: see requireSession.
  session.set({ state: "starting" });
  wipe();
  try {
    const provider = await askProvider();
    if (refreshToken !== undefined) await revoke(provider, refreshToken);
    const { end_session_endpoint: endpoint } = provider;
    if (endpoint === undefined) return location.assign("/");
    const url = new URL(endpoint);
    url.searchParams.set("client_id", client.client_id);
    url.searchParams.set("post_logout_redirect_uri", redirectUri);
    if (idToken !== undefined) url.searchParams.set("id_token_hint", idToken);
    location.assign(url);
  } catch (cause) {
    session.set({ state: "out", failure: new SignInFailure("signIn.onlyHere", cause) });
  }
}

/** Gives up: with these tokens nothing works, and others of this provider would be no better. */
export function endSession(failure: SignInFailure): void {
  dropTokens();
  forget();
  session.set({ state: "out", failure });
}

/** @throws SignInFailure where the person has signed out, or somebody else in, here or in another tab */
export function requireSession(): void {
  if (session.get().state !== "in" || !isFlagged() || isOfSomebodyElse()) {
    throw new SignInFailure("signIn.ended");
  }
}
