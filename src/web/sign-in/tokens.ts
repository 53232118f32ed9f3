import { parsed, shared } from "../storage.ts";

/**
 * The tokens of the person, in the browser's storage, which tabs share, so a start needs no
 * redirect. Only scripts of this origin can read it, and the policy allows only our own. The
 * provider bounds a theft: a refresh token works once (RFC 9700, 4.14). Cookies need sessions on
 * the server, and memory costs each start four round trips.
 */
interface Tokens {
  /**
   * The owner of the tokens, from an ID token. Without one the tokens are not stored. They are
   * removed when the person signs out, when another person signs in, or when the provider or the
   * service refuses them.
   */
  readonly subject?: string | undefined;
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** It gives no access, but some providers want it as a hint. */
  readonly idToken?: string | undefined;
  /** In milliseconds since 1970. A token is renewed before it ends. */
  readonly renewAt: number;
  readonly endsAt: number;
}

/** The answer of the provider, with the person of its ID token. */
export interface Received {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
  readonly expires_in?: number;
  readonly subject: string | undefined;
}

/** What the page must remember while the browser is at the provider. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnTo: string;
  readonly silent: boolean;
}

export const ATTEMPT_IS_KEPT_AS = "sign-in";
export const PROVIDER_IS_KEPT_AS = "provider";

let held: Tokens | undefined;

export const TOKENS_ARE_KEPT_AS = "tokens";

/** A token that ends sooner is renewed before it is used, in milliseconds. */
const MARGIN = 30_000;

export const heldTokens = (): Tokens | undefined => held;

export function holdTokens(received: Received): void {
  const subject = received.subject ?? held?.subject;
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
    // A short-lived token is used for half of its lifetime. Otherwise it would be renewed
    // endlessly.
    renewAt: endsAt - Math.min(MARGIN, lifetime / 2),
  };
  if (subject !== undefined) shared.write(TOKENS_ARE_KEPT_AS, JSON.stringify(held));
}

export const keptTokens = (): Tokens | undefined => parsed(shared.read(TOKENS_ARE_KEPT_AS));

/**
 * Takes the tokens that another tab has renewed, or those stored by an earlier visit.
 * @returns whether these are other tokens of the same person
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

/** Tells the provider who was last signed in. */
export const hint = (): string | undefined => (held ?? keptTokens())?.idToken;
