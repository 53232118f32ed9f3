import { hash } from "node:crypto";
import { compactVerify, decodeJwt, errors } from "jose";
import { LRUCache } from "lru-cache";
import type { TokenConfig } from "../config/settings.ts";
import { Problem } from "../errors/problem.ts";
import type { Logger } from "../log/logger.ts";
import { bearerToken, tokenRefused } from "./bearer.ts";
import {
  checkTime,
  headerFaults,
  headerOf,
  type Lifetime,
  lifetimeOf,
  recipientFaults,
  refuse,
  TOLERANCE_MS,
} from "./claims.ts";
import { type Identity, identityOf, subjectsOf } from "./identity.ts";
import { decodeUtf8, parseJsonObject } from "./json.ts";
import { jwksAt, jwksOfIssuer } from "./jwks.ts";
import {
  type Clock,
  type KeyFetches,
  type KeySource,
  type Keys,
  remoteKeys,
  sharedSecret,
} from "./keys.ts";

export interface VerifierOptions extends TokenConfig {
  /** Tests set the time with it. */
  readonly clock?: Clock;
  /** Gets a line for each failed fetch of the issuer's keys, and for the first that succeeds again. */
  readonly logger?: Logger;
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
  /**
   * Fetches the keys, if that is due, before a request needs them.
   *
   * @throws Problem 503 when there are none and they cannot be fetched
   */
  fetchKeys(): Promise<void>;
  /** How the fetches went; undefined where nothing is fetched. */
  readonly keyFetches: KeyFetches | undefined;
}

/** The result of a verification, and the keys that it was made with. */
interface VerifiedToken {
  readonly identity: Identity;
  readonly lifetime: Lifetime;
  readonly keys: Keys;
}

/** Verifies access tokens as RFC 8725 and RFC 9068, 4 advise. A wrong setting throws here. */
export function createTokenVerifier(options: VerifierOptions): TokenVerifier {
  const { clock = Date.now, cacheSize = 5_000 } = options;
  const subject = subjectsOf(options);
  const source = keySource(options, clock);
  const cache = new LRUCache<string, VerifiedToken>({ max: cacheSize });

  /**
   * A cached token is valid only under the keys that proved it, and within its time. It asks for
   * the current keys as any other token does, so it outlives neither them nor their age limit.
   */
  async function recall(digest: string): Promise<Identity | undefined> {
    const cached = cache.get(digest);
    if (cached === undefined) return undefined;
    if (cached.keys === (await source.current())) {
      checkTime(cached.lifetime, clock());
      return cached.identity;
    }
    cache.delete(digest);
    return undefined;
  }

  async function verifyWith(keys: Keys, token: string) {
    const { payload } = await compactVerify(token, keys, { algorithms: source.algorithms });
    return { payload, keys };
  }

  /**
   * Where no current key fits, the provider may have a new one: the keys are fetched again, once.
   *
   * @throws Problem 503 where the key may be newer than the last fetch, and it is too soon for another
   */
  async function verifySignature(token: string) {
    const arrival = clock();
    try {
      return await verifyWith(await source.current(), token);
    } catch (cause) {
      if (!(cause instanceof errors.JWKSNoMatchingKey)) throw cause;
    }
    try {
      return await verifyWith(await source.renewed(), token);
    } catch (cause) {
      if (!(cause instanceof errors.JWKSNoMatchingKey)) throw cause;
      const seconds = source.untilFetched(Math.min(arrival, issuedBefore(token)));
      throw seconds === undefined ? cause : keyUnknown(seconds);
    }
  }

  async function examine(token: string): Promise<VerifiedToken> {
    refuse(headerFaults(headerOf(token), source.algorithms));
    const { payload, keys } = await verifySignature(token);
    const claims = parseJsonObject(decodeUtf8(payload));
    const lifetime = lifetimeOf(claims);
    refuse(recipientFaults(claims, options));
    checkTime(lifetime, clock());
    return { identity: identityOf(claims, subject, options.groups), lifetime, keys };
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
    async fetchKeys() {
      await source.current();
    },
    keyFetches: source.fetches,
  };
}

function keySource(options: VerifierOptions, clock: Clock): KeySource {
  const { issuer, jwksUrl, secret, logger } = options;
  if (secret !== undefined) return sharedSecret(secret);
  const download = jwksUrl === undefined ? jwksOfIssuer(issuer) : jwksAt(jwksUrl);
  return remoteKeys(download, clock, logger);
}

/**
 * A token's key was published before the token was issued. Nobody has proved what it says of that,
 * and who invents it gains a 503 in the place of a 401.
 */
function issuedBefore(token: string): number {
  const { iat } = decodeJwt(token);
  return typeof iat === "number" ? iat * 1_000 + TOLERANCE_MS : Number.NEGATIVE_INFINITY;
}

const KEY_UNKNOWN = "no key of AUTH_ISSUER fits, and it is too soon to fetch them again";

const keyUnknown = (seconds: number): Problem =>
  new Problem("service_unavailable", {
    headers: { "Retry-After": String(seconds) },
    cause: KEY_UNKNOWN,
  });

/** Of a failure, whether it is about the token, so that sending more such tokens is limited. */
export const isAboutToken = ({ status, cause }: Problem): boolean =>
  status === 401 || cause === KEY_UNKNOWN;
