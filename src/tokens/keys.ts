import { type CompactVerifyGetKey, createLocalJWKSet, type JSONWebKeySet } from "jose";
import { serviceUnavailable } from "../errors/problem.ts";
import { reasonOf } from "../errors/reason.ts";
import type { Logger } from "../log/logger.ts";
import type { JwksDownload } from "./jwks.ts";

/** The current time in milliseconds. */
export type Clock = () => number;

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
   * @throws Problem 503 while none could be fetched
   */
  current(): Promise<Keys>;
  /**
   * The keys as the issuer has them, or had them some seconds ago: for a token of an unknown key.
   *
   * @throws Problem 503 while they cannot be fetched, for its key may be a new one
   */
  renewed(): Promise<Keys>;
  /** Fetches the keys where they are old. */
  refresh(): Promise<void>;
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
function publicKeys(document: string): Keys {
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
    refresh: async () => {},
  };
}

const SECOND = 1_000;

/** Older keys are fetched again, so that a removed one is refused. */
const MAX_AGE = 300 * SECOND;

/** The least time between two fetches, however many tokens with unknown keys come in. */
const PAUSE = 5 * SECOND;

export const KEY_UNKNOWN = "no key of AUTH_ISSUER fits, and newer ones cannot be fetched";

/**
 * The issuer's public keys. Once fetched, they serve through an outage of the provider.
 *
 * jose's createRemoteJWKSet would ask a provider that does not answer again for each unknown key.
 */
export function remoteKeys(download: JwksDownload, clock: Clock, logger?: Logger): KeySource {
  let held: { readonly document: string; readonly keys: Keys } | undefined;
  /** When the request was sent, not when the answer came: the keys can change in between. */
  let heldSince = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;
  /** Of the last fetch, if it failed. */
  let failure: unknown;
  let failures = 0;
  let fetching: Promise<void> | undefined;

  const fetches: KeyFetches = {
    ageSeconds: () => (clock() - heldSince) / SECOND,
    failures: () => failures,
  };

  async function ask(): Promise<void> {
    askedAt = clock();
    try {
      const document = await download();
      if (document !== held?.document) held = { document, keys: publicKeys(document) };
      heldSince = askedAt;
      if (failure !== undefined) logger?.info("the keys of AUTH_ISSUER were fetched again");
      failure = undefined;
    } catch (cause) {
      failure = cause;
      failures += 1;
      logger?.warn(
        { reason: reasonOf(cause), ...(held && { ageSeconds: Math.round(fetches.ageSeconds()) }) },
        `the keys of AUTH_ISSUER cannot be fetched: ${
          held
            ? "the old ones serve, and tokens of newer ones are refused with 503"
            : "all tokens are refused with 503 until they can"
        }`,
      );
    } finally {
      fetching = undefined;
    }
  }

  /** One fetch at a time, and a pause after each. Never rejects: see `failure`. */
  async function fetchKeys(): Promise<void> {
    if (!isRecent(askedAt, PAUSE, clock())) fetching ??= ask();
    await fetching;
  }

  function heldKeys(): Keys {
    if (held === undefined) throw serviceUnavailable(failure);
    return held.keys;
  }

  return {
    algorithms: PUBLIC_KEY_ALGORITHMS,
    async current() {
      if (held === undefined) await fetchKeys();
      return heldKeys();
    },
    async renewed() {
      await fetchKeys();
      const keys = heldKeys();
      if (failure !== undefined) throw serviceUnavailable(KEY_UNKNOWN);
      return keys;
    },
    async refresh() {
      if (!isRecent(heldSince, MAX_AGE, clock())) await fetchKeys();
    },
    fetches,
  };
}

/**
 * Whether less than `span` has passed since that moment. A moment in the future, which a clock
 * that was set back leaves behind, is not recent.
 */
const isRecent = (moment: number, span: number, now: number): boolean =>
  moment <= now && now < moment + span;
