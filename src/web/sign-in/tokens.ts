import * as oauth from "oauth4webapi";
import { parsed, shared } from "../storage.ts";

/**
 * The tokens of the person who is signed in. The tabs of a browser share them, in its storage, so a
 * reload, another tab and an installed page start without a way through the provider.
 *
 * Is it safe to keep them there? Only a script of this origin can read them, and our policy lets none
 * run but our own: one inline that it names by its hash, none from elsewhere, no text that becomes markup. A script that
 * got in would not need them: from within the page it could use the API and ask the provider silently.
 * What it could take away is bounded by the provider: a refresh token of a public client is good once
 * (RFC 9700, 4.14), so a second use ends both. A cookie would be sent by other pages too, and needs a
 * server that keeps sessions; memory alone costs each start a document and four round trips.
 *
 * They are kept only where an ID token says whose they are, and go when the person signs out, somebody
 * else signs in, or the provider or the service wants them no more.
 */
export interface Tokens {
  /** Whose they are. */
  readonly subject?: string | undefined;
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** Opens nothing, but some providers want it as a hint. */
  readonly idToken?: string | undefined;
  /** A token is renewed before it ends. In milliseconds since 1970. */
  readonly renewAt: number;
  readonly endsAt: number;
}

let held: Tokens | undefined;

export const TOKENS_ARE_KEPT_AS = "tokens";

/** A token that ends sooner is renewed before it is used, in milliseconds. */
const MARGIN = 30_000;

export const heldTokens = (): Tokens | undefined => held;

export function holdTokens(received: oauth.TokenEndpointResponse): void {
  const subject = oauth.getValidatedIdTokenClaims(received)?.sub ?? held?.subject;
  const { expires_in: seconds } = received;
  const lifetime = seconds === undefined ? Number.MAX_SAFE_INTEGER / 2 : seconds * 1_000;
  const endsAt = Date.now() + lifetime;
  held = {
    subject,
    accessToken: received.access_token,
    // Some providers keep the refresh token, and some send the ID token only once.
    refreshToken: received.refresh_token ?? held?.refreshToken,
    idToken: received.id_token ?? held?.idToken,
    endsAt,
    // A short one is used for half of its time, or it would be renewed for ever.
    renewAt: endsAt - Math.min(MARGIN, lifetime / 2),
  };
  if (subject !== undefined) shared.write(TOKENS_ARE_KEPT_AS, JSON.stringify(held));
}

export const keptTokens = (): Tokens | undefined => parsed(shared.read(TOKENS_ARE_KEPT_AS));

/**
 * Takes what another tab has renewed, or what is kept from an earlier visit.
 * @returns whether these are other tokens than before, of the same person
 */
export function takeKeptTokens(): boolean {
  const kept = keptTokens();
  if (kept === undefined || kept.accessToken === held?.accessToken) return false;
  if (held !== undefined && held.subject !== kept.subject) return false;
  held = kept;
  return true;
}

export function dropTokens(): void {
  held = undefined;
  shared.remove(TOKENS_ARE_KEPT_AS);
}

export const isDue = (): boolean => (held?.renewAt ?? 0) <= Date.now();
export const hasEnded = (): boolean => (held?.endsAt ?? 0) <= Date.now();

/** Who was last signed in, for the provider. */
export const hint = (): string | undefined => (held ?? keptTokens())?.idToken;
