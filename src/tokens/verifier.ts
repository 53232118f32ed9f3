import { hash } from "node:crypto";
import { type CompactJWSHeaderParameters, type CryptoKey, compactVerify } from "jose";
import { LRUCache } from "lru-cache";
import type { TokenConfig } from "../config/settings.ts";
import { Problem } from "../errors/problem.ts";
import type { JsonObject } from "../formats.ts";
import type { Logger } from "../log/logger.ts";
import { headerFaults, headerOf, recipientFaults, refuse } from "./claims.ts";
import { type Identity, identityOf, subjectsOf, withMoved } from "./identity.ts";
import { decodeUtf8, parseJsonObject } from "./json.ts";
import { KEY_UNKNOWN, type KeyFetches, type KeySource, remoteKeys, sharedSecret } from "./keys.ts";

export interface VerifierOptions extends TokenConfig {
  /** The current time in milliseconds. Tests set the times of tokens with it. */
  readonly clock?: () => number;
  /** Gets a line for each failed fetch of the issuer's keys, and for the first that succeeds again. */
  readonly logger?: Logger;
  /** The keys of the tokens, where they are not those of the settings. */
  readonly keys?: KeySource | undefined;
  /** The people whose tokens have a `sub` that is not made to their id, by that `sub`. */
  readonly people?: ReadonlyMap<string, string> | undefined;
  /** How many verified tokens are cached. */
  readonly cacheSize?: number;
}

export interface TokenVerifier {
  /**
   * The caller, from the Authorization header of the request.
   *
   * @throws Problem 401 without a valid token, 503 when the keys to verify it cannot be fetched
   */
  verify(authorization: string | undefined): Promise<Identity>;
  /** Fetches the keys where they are old. */
  refreshKeys(): Promise<void>;
  /** How the fetches went; undefined where nothing is fetched. */
  readonly keyFetches: KeyFetches | undefined;
}

/** The result of a verification, and the key that it was made with. */
interface VerifiedToken {
  readonly identity: Identity;
  readonly lifetime: Lifetime;
  readonly header: CompactJWSHeaderParameters;
  readonly key: CryptoKey | Uint8Array;
}

/** Far above any access token in use. Limits what an unknown client can make us hash and parse. */
const MAX_TOKEN_LENGTH = 8192;

/** `Bearer` and one b64token, the scheme in any case (RFC 6750, 2.1; RFC 9110, 11.1). */
const BEARER = /^bearer +([\w.~+/-]+=*)$/i;

/**
 * The token of an Authorization header.
 *
 * @throws Problem 401 when the header carries no bearer token at all
 */
function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined || !/^bearer\s+\S/i.test(authorization)) throw tokenMissing();
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw new Error("the credentials are not one b64token");
  if (token.length > MAX_TOKEN_LENGTH) throw new Error("the token is too long");
  return token;
}

/** Without a token, or with another scheme, no error code is given (RFC 6750, 3.1). */
const tokenMissing = (): Problem => unauthorized("Bearer", undefined);

/** The client does not learn the reason; `cause` carries it to the log. */
export const tokenRefused = (cause: unknown): Problem =>
  unauthorized('Bearer error="invalid_token"', cause);

const unauthorized = (challenge: string, cause: unknown): Problem =>
  new Problem("authentication_required", { headers: { "WWW-Authenticate": challenge }, cause });

/** How far the issuer's clock and ours may differ. */
const TOLERANCE_MS = 5_000;

/** When a token is valid, in milliseconds, the tolerance included. */
interface Lifetime {
  readonly from: number;
  readonly until: number;
}

/** RFC 7519, 4.1.4 to 4.1.6: `exp` is required; `nbf` and `iat`, where present, are in the past. */
export function lifetimeOf({ exp, nbf = 0, iat = 0 }: JsonObject): Lifetime {
  return {
    from: Math.max(milliseconds("nbf", nbf), milliseconds("iat", iat)) - TOLERANCE_MS,
    until: milliseconds("exp", exp) + TOLERANCE_MS,
  };
}

/** JSON allows 1e999, which is read as Infinity: a token with that `exp` would never expire. */
function milliseconds(claim: string, numericDate: unknown): number {
  const time = typeof numericDate === "number" ? numericDate * 1_000 : Number.NaN;
  if (!Number.isFinite(time)) throw new Error(`${claim} is not a finite number`);
  return time;
}

export function checkTime({ from, until }: Lifetime, now: number): void {
  if (now < from) throw new Error("the token is not valid yet");
  if (now >= until) throw new Error("the token has expired");
}

/** Verifies access tokens as RFC 8725 and RFC 9068, 4 advise. A wrong setting throws here. */
export function createTokenVerifier(options: VerifierOptions): TokenVerifier {
  const { secret, logger, clock = Date.now, cacheSize = 5_000 } = options;
  const subject = withMoved(subjectsOf(options), options.people);
  const source =
    options.keys ?? (secret === undefined ? remoteKeys(options, logger) : sharedSecret(secret));
  const cache = new LRUCache<string, VerifiedToken>({ max: cacheSize });

  /** A cached token is valid only under the key that proved it, and within its time. */
  async function recall(digest: string): Promise<Identity | undefined> {
    const cached = cache.get(digest);
    if (cached === undefined || cached.key !== (await source.keyOf(cached.header)))
      return undefined;
    checkTime(cached.lifetime, clock());
    return cached.identity;
  }

  async function examine(token: string): Promise<VerifiedToken> {
    refuse(headerFaults(headerOf(token), source.algorithms));
    const { algorithms, keyOf } = source;
    const proof = await compactVerify(token, keyOf, { algorithms });
    const claims = parseJsonObject(decodeUtf8(proof.payload));
    const lifetime = lifetimeOf(claims);
    refuse(recipientFaults(claims, options));
    checkTime(lifetime, clock());
    const identity = identityOf(claims, subject, options.groups);
    return { identity, lifetime, header: proof.protectedHeader, key: proof.key };
  }

  async function identify(token: string): Promise<Identity> {
    const digest = hash("sha256", token, "base64");
    const cached = await recall(digest);
    if (cached !== undefined) return cached;
    const verified = await examine(token);
    cache.set(digest, verified);
    return verified.identity;
  }

  return {
    async verify(authorization) {
      try {
        return await identify(bearerToken(authorization));
      } catch (cause) {
        throw cause instanceof Problem ? cause : tokenRefused(cause);
      }
    },
    refreshKeys: source.refresh,
    keyFetches: source.fetches,
  };
}

/** Whether a failure is about the token, so that sending more such tokens is limited. */
export const isAboutToken = ({ status, cause }: Problem): boolean =>
  status === 401 || cause === KEY_UNKNOWN;
