import { hash } from "node:crypto";
import { compactVerify, errors } from "jose";
import { Problem } from "../errors/problem.ts";
import { bearerToken, tokenRefused } from "./bearer.ts";
import { tokenCache, type VerifiedToken } from "./cache.ts";
import { checkRecipient, checkTime, lifetimeOf } from "./claims.ts";
import type { Clock } from "./clock.ts";
import { checkHeader } from "./header.ts";
import { type Identity, identityOf } from "./identity.ts";
import { decodeUtf8, parseJsonObject } from "./json.ts";
import { jwksAt, jwksOfIssuer } from "./jwks.ts";
import { type KeySource, type Keys, sharedSecret } from "./keys.ts";
import { remoteKeys } from "./remote-keys.ts";

export interface TokenSettings {
  readonly issuer: string;
  readonly audience: string;
  /** Where the issuer's keys are; otherwise its discovery document tells. */
  readonly jwksUrl?: string | undefined;
  /** Selects HS256 with this secret, and no public keys at all. */
  readonly secret?: string | undefined;
  /** The present in milliseconds; tests turn it. */
  readonly clock?: Clock;
  /** How many verified tokens are remembered; 0 turns that off. */
  readonly cacheSize?: number;
}

export interface TokenVerifier {
  /**
   * Tells who sent a request, by its Authorization header.
   *
   * @throws Problem 401 without a good token, 503 where no key can be had to tell
   */
  verify(authorization: string | undefined): Promise<Identity>;
}

/** Verifies access tokens as RFC 8725 and RFC 9068, 4 advise. A wrong setting throws here. */
export function createTokenVerifier(settings: TokenSettings): TokenVerifier {
  const clock = settings.clock ?? Date.now;
  const source = keySource(settings, clock);
  const cache = tokenCache(settings.cacheSize ?? 5_000);

  /**
   * A remembered token is good only under the keys that proved it, and within its time. It asks
   * for the current keys like any other, so it can outlive neither them nor their age limit.
   */
  async function recall(digest: string): Promise<Identity | undefined> {
    const remembered = cache.get(digest);
    if (remembered === undefined) return undefined;
    if (remembered.keys === (await source.current())) {
      checkTime(remembered.lifetime, clock());
      return remembered.identity;
    }
    cache.delete(digest);
    return undefined;
  }

  async function examine(token: string): Promise<VerifiedToken> {
    checkHeader(token, source.algorithms);
    const { payload, keys } = await verifySignature(token, source);
    const claims = parseJsonObject(decodeUtf8(payload));
    const lifetime = lifetimeOf(claims);
    checkRecipient(claims, settings);
    checkTime(lifetime, clock());
    return { identity: identityOf(claims), lifetime, keys };
  }

  async function identify(token: string): Promise<Identity> {
    const digest = hash("sha256", token, "base64");
    const remembered = await recall(digest);
    if (remembered !== undefined) return remembered;
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
  };
}

function keySource({ issuer, jwksUrl, secret }: TokenSettings, clock: Clock): KeySource {
  if (secret !== undefined) return sharedSecret(secret);
  return remoteKeys(jwksUrl === undefined ? jwksOfIssuer(issuer, clock) : jwksAt(jwksUrl), clock);
}

interface SignedPayload {
  readonly payload: Uint8Array;
  readonly keys: Keys;
}

/** Where no current key fits, the provider may have a new one: we look again, once. */
async function verifySignature(token: string, source: KeySource): Promise<SignedPayload> {
  const { algorithms } = source;
  const verifyWith = async (keys: Keys): Promise<SignedPayload> => {
    const { payload } = await compactVerify(token, keys, { algorithms });
    return { payload, keys };
  };
  try {
    return await verifyWith(await source.current());
  } catch (cause) {
    if (!(cause instanceof errors.JWKSNoMatchingKey)) throw cause;
    return await verifyWith(await source.renewed());
  }
}
