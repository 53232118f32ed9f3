import { hash } from "node:crypto";
import { compactVerify, errors } from "jose";
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
} from "./claims.ts";
import { type Identity, identityOf, subjectsOf } from "./identity.ts";
import { decodeUtf8, parseJsonObject } from "./json.ts";
import { jwksAt, jwksOfIssuer } from "./jwks.ts";
import {
  type Clock,
  KEY_UNKNOWN,
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
  /** Fetches the keys where they are old. */
  refreshKeys(): Promise<void>;
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
   * A cached token is valid only under the keys that proved it, and within its time.
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

  /** Where no current key fits, the provider may have a new one. */
  async function verifySignature(token: string) {
    try {
      return await verifyWith(await source.current(), token);
    } catch (cause) {
      if (!(cause instanceof errors.JWKSNoMatchingKey)) throw cause;
    }
    return verifyWith(await source.renewed(), token);
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
    refreshKeys: source.refresh,
    keyFetches: source.fetches,
  };
}

function keySource(options: VerifierOptions, clock: Clock): KeySource {
  const { issuer, jwksUrl, secret, logger } = options;
  if (secret !== undefined) return sharedSecret(secret);
  const download = jwksUrl === undefined ? jwksOfIssuer(issuer) : jwksAt(jwksUrl);
  return remoteKeys(download, clock, logger);
}

/** Of a failure, whether it is about the token, so that sending more such tokens is limited. */
export const isAboutToken = ({ status, cause }: Problem): boolean =>
  status === 401 || cause === KEY_UNKNOWN;
