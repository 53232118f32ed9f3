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

export const ATTEMPT_KEY = "sign-in";
export const PROVIDER_KEY = "provider";

let current: Tokens | undefined;

export const TOKENS_KEY = "tokens";

/** A token that ends sooner is renewed before it is used, in milliseconds. */
const MARGIN = 30_000;

export const currentTokens = (): Tokens | undefined => current;

export function setTokens(received: Received): void {
  const subject = received.subject ?? current?.subject;
  const { expires_in: seconds } = received;
  const lifetime = seconds === undefined ? Number.MAX_SAFE_INTEGER / 2 : seconds * 1_000;
  const endsAt = Date.now() + lifetime;
  current = {
    subject,
    accessToken: received.access_token,
    // Some providers keep the refresh token, and some send the ID token only once.
    refreshToken: received.refresh_token ?? current?.refreshToken,
    idToken: received.id_token ?? current?.idToken,
    endsAt,
    // A short-lived token is used for half of its lifetime. Otherwise it would be renewed
    // endlessly.
    renewAt: endsAt - Math.min(MARGIN, lifetime / 2),
  };
  if (subject !== undefined) shared.write(TOKENS_KEY, JSON.stringify(current));
}

export const storedTokens = (): Tokens | undefined => parsed(shared.read(TOKENS_KEY));

/**
 * Takes the tokens that another tab has renewed, or those stored by an earlier visit.
 * @returns whether these are other tokens of the same person
 */
export function takeStoredTokens(): boolean {
  const stored = storedTokens();
  if (stored === undefined || stored.accessToken === current?.accessToken) return false;
  if (current !== undefined && current.subject !== stored.subject) return false;
  current = stored;
  return true;
}

export function dropTokens(): void {
  current = undefined;
  shared.remove(TOKENS_KEY);
}

export const isDue = (): boolean => (current?.renewAt ?? 0) <= Date.now();
export const hasEnded = (): boolean => (current?.endsAt ?? 0) <= Date.now();

/** Tells the provider who was last signed in. */
export const hint = (): string | undefined => (current ?? storedTokens())?.idToken;
