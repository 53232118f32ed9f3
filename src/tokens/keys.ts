import { type CompactVerifyGetKey, createLocalJWKSet, type JSONWebKeySet } from "jose";

/**
 * Finds the one key that fits a token's header, and throws where there is none or more than one.
 * It is the same object for as long as the keys are the same.
 */
export type Keys = CompactVerifyGetKey;

export interface KeySource {
  /** What the keys may be used with, whatever a token asks for (RFC 8725, 3.1). */
  readonly algorithms: string[];
  /**
   * The keys to judge by now.
   *
   * @throws Problem 503 when there are none to be had
   */
  current(): Promise<Keys>;
  /** The keys after another look, if one is due: for a token whose key is not among the current. */
  renewed(): Promise<Keys>;
}

/** `Ed25519` is the newer name of what JOSE has called `EdDSA` (RFC 9864, 2.2). */
export const PUBLIC_KEY_ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"];

/** As long as the hash: the least that RFC 7518, 3.2 allows for HS256. */
const MIN_SECRET_BYTES = 32;

/**
 * The keys of a JWKS document. jose lets a key serve only the algorithms of its `kty`, `crv` and
 * `alg`, passes over one whose `use` or `key_ops` is not to verify, refuses private keys and RSA
 * keys under 2048 bits, and wants a `kid` where several keys fit.
 */
export function publicKeys(document: string): Keys {
  const jwks: JSONWebKeySet = JSON.parse(document); // createLocalJWKSet checks the form
  return createLocalJWKSet(jwks);
}

/** For a provider that shares a secret with us. No other algorithm, and no JWKS, is looked at. */
export function sharedSecret(secret: string): KeySource {
  const bytes = Buffer.from(secret, "utf8");
  if (bytes.length < MIN_SECRET_BYTES) {
    throw new Error(`AUTH_JWT_SECRET must have at least ${MIN_SECRET_BYTES} bytes`);
  }
  const keys: Keys = async () => bytes;
  return { algorithms: ["HS256"], current: async () => keys, renewed: async () => keys };
}
