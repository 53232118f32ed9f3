import { type CompactVerifyGetKey, createLocalJWKSet, type JSONWebKeySet } from "jose";

/** The current time in milliseconds. */
export type Clock = () => number;

/**
 * Whether less than `span` has passed since that moment. A moment in the future, which a clock
 * that was set back leaves behind, is not recent.
 */
export const isRecent = (moment: number, span: number, now: number): boolean =>
  moment <= now && now < moment + span;

/**
 * Finds the one key that fits a token's header, and throws where there is none or more than one.
 * The object stays the same for as long as the keys are the same.
 */
export type Keys = CompactVerifyGetKey;

export interface KeySource {
  /** The algorithms that the keys may be used with. The token does not decide (RFC 8725, 3.1). */
  readonly algorithms: string[];
  /**
   * The keys to verify tokens with now.
   *
   * @throws Problem 503 when no keys can be fetched
   */
  current(): Promise<Keys>;
  /** The keys, fetched again if that is due: for a token whose key is not among the current ones. */
  renewed(): Promise<Keys>;
  /**
   * Undefined where the keys are newer than this moment. Where one that was published then may be
   * missing from them: in how many seconds they can be fetched again.
   */
  untilFetched(published: number): number | undefined;
  /** How the fetches went; undefined where nothing is fetched. */
  readonly fetches?: KeyFetches;
}

/** What the operator should know of the issuer's keys. */
export interface KeyFetches {
  /** Since the provider was asked for the keys that serve; Infinity before there are any. */
  ageSeconds(): number;
  failures(): number;
}

/** `Ed25519` is the newer name of what JOSE has called `EdDSA` (RFC 9864, 2.2). */
export const PUBLIC_KEY_ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"];

/**
 * The keys of a JWKS document. jose uses a key only with the algorithms of its `kty`, `crv` and
 * `alg`, skips one whose `use` or `key_ops` is not to verify, refuses private keys and RSA keys
 * under 2048 bits, and requires a `kid` where several keys fit.
 */
export function publicKeys(document: string): Keys {
  const jwks: JSONWebKeySet = JSON.parse(document); // createLocalJWKSet checks the form
  return createLocalJWKSet(jwks);
}

/** For a provider that shares a secret with us: HS256 only, and no JWKS is fetched. */
export function sharedSecret(secret: string): KeySource {
  const bytes = Buffer.from(secret, "utf8");
  const keys: Keys = async () => bytes;
  return {
    algorithms: ["HS256"],
    current: async () => keys,
    renewed: async () => keys,
    untilFetched: () => undefined,
  };
}
