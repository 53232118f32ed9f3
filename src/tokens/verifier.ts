import { hash } from "node:crypto";
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
import { type Clock, type KeyFetches, type KeySource, type Keys, sharedSecret } from "./keys.ts";
import { remoteKeys } from "./remote-keys.ts";
import { verifySignature } from "./signature.ts";

export interface VerifierOptions extends TokenConfig {
  /** Tests set the time with it. */
  readonly clock?: Clock;
  /** Gets a line for each failed fetch of the issuer's keys, and for the first that succeeds again. */
  readonly logger?: Logger;
  /** How many verified tokens are cached; 0 turns the cache off. */
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
  const cache = cacheSize > 0 ? new LRUCache<string, VerifiedToken>({ max: cacheSize }) : undefined;

  /**
   * A cached token is valid only under the keys that proved it, and within its time. It asks for
   * the current keys as any other token does, so it outlives neither them nor their age limit.
   */
  async function recall(digest: string): Promise<Identity | undefined> {
    const cached = cache?.get(digest);
    if (cached === undefined) return undefined;
    if (cached.keys === (await source.current())) {
      checkTime(cached.lifetime, clock());
      return cached.identity;
    }
    cache?.delete(digest);
    return undefined;
  }

  async function examine(token: string): Promise<VerifiedToken> {
    const arrival = clock();
    refuse(headerFaults(headerOf(token), source.algorithms));
    const { payload, keys } = await verifySignature(token, source, arrival);
    const claims = parseJsonObject(decodeUtf8(payload));
    const lifetime = lifetimeOf(claims);
    refuse(recipientFaults(claims, options));
    checkTime(lifetime, clock());
    return { identity: identityOf(claims, subject), lifetime, keys };
  }

  async function identify(token: string): Promise<Identity> {
    const digest = hash("sha256", token, "base64");
    const cached = await recall(digest);
    if (cached !== undefined) return cached;
    const verified = await examine(token);
    cache?.set(digest, verified);
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
