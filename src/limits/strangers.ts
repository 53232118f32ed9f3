import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import type { Context } from "koa";
import { LRUCache } from "lru-cache";
import { isOutage } from "../errors/outage.ts";
import { Problem } from "../errors/problem.ts";
import { isAboutToken } from "../tokens/verifier.ts";
import { countInMemory, limitOf, type RateLimits, rateOf } from "./limits.ts";

/** How many refused tokens, and how many good secrets, are remembered: it bounds the memory. */
const MOST_REMEMBERED = 5_000;
/**
 * A token that is refused for its time, or for a key that is not yet fetched, may be good later.
 */
const MEMORY_MS = 60_000;

/**
 * An address that keeps sending refused tokens gets 429 instead of 401, and the same tokens are not
 * verified again. Each process counts in its own memory, because an unknown client must not make the
 * database write.
 */
export function limitRefusedTokens(perMinute: number) {
  const limit = limitOf("refused-tokens", perMinute, 60);
  const counter = countInMemory();
  const refused = new LRUCache<string, true>({ max: MOST_REMEMBERED, ttl: MEMORY_MS });

  return async <T>(ctx: Context, verify: () => Promise<T>): Promise<T> => {
    const charge = (points: number) => counter.charge(limit, bucketOf(ctx.ip), points);
    // Nothing was refused in the usual case, so the request is not hashed.
    const isKnown = refused.size > 0 && refused.has(digestOf(ctx.req));
    if (isKnown && charge(0).some(({ isExceeded }) => isExceeded)) rateOf(charge(1));
    try {
      return await verify();
    } catch (error) {
      if (isRefusedToken(error, ctx)) {
        refused.set(digestOf(ctx.req), true);
        rateOf(charge(1));
      }
      throw error;
    }
  };
}

/** Refusing a request without a token costs nothing. */
const isRefusedToken = (error: unknown, ctx: Context): boolean =>
  error instanceof Problem && isAboutToken(error) && ctx.get("Authorization") !== "";

/**
 * The hash of all Authorization headers, so that a request with several differs from one with only
 * one of them.
 */
const digestOf = ({ headersDistinct: { authorization = [] } }: IncomingMessage): string =>
  hash("sha256", authorization.join("\n"), "base64");

interface SecretLimitParts {
  /** The name of the limit for unknown secrets. */
  readonly name: string;
  /** Without them, a known secret is charged elsewhere. */
  readonly limits?: Pick<RateLimits, "chargeSecret">;
  /** The number of unknown secrets that an address may send in a minute. */
  readonly unknownPerMinute: number;
}

/**
 * Uses a secret.
 * @returns also the key to charge (`gives`); undefined if the secret is unknown
 */
type Use<T> = () => Promise<(T & { readonly gives: string }) | undefined>;

/**
 * Charges requests that have a secret instead of a token. Many people may have one address, so a
 * sender of unknown secrets does not stop people whose secret is known.
 */
export function limitSecrets({ name, limits, unknownPerMinute }: SecretLimitParts) {
  const limit = limitOf(name, unknownPerMinute, 60);
  const counter = countInMemory();
  const known = new LRUCache<string, string>({ max: MOST_REMEMBERED });

  /** Counts in memory, because an unknown client must not make the database write. */
  const charge = (ctx: Context, points: number) => counter.charge(limit, bucketOf(ctx.ip), points);

  /**
   * Charges before a secret is tried. If many come at once, only as many are tried as may be wrong.
   */
  function chargeAddress(ctx: Context): void {
    const standings = charge(ctx, 1);
    if (standings.some(({ isExceeded }) => isExceeded)) charge(ctx, -1); // the secret is not tried
    rateOf(standings);
  }

  return async <T extends object>(ctx: Context, secret: string, use: Use<T>) => {
    const gives = known.get(secret);
    if (gives === undefined) chargeAddress(ctx);
    else await limits?.chargeSecret(ctx, gives);
    const giveBack = () => {
      if (gives === undefined) charge(ctx, -1);
    };

    const used = await use().catch((error: unknown) => {
      if (saysNothing(error)) giveBack();
      throw error;
    });
    if (used === undefined) {
      known.delete(secret);
      if (gives !== undefined) chargeAddress(ctx);
      return undefined;
    }
    giveBack();
    known.set(secret, used.gives);
    if (gives === undefined) await limits?.chargeSecret(ctx, used.gives);
    return used;
  };
}

/**
 * After an outage or an overload, the secret may still be good and everybody comes back at once.
 */
const saysNothing = (error: unknown): boolean => error instanceof Problem || isOutage(error);

/**
 * The name under which an address is counted. There are only 65,536 names, so that a flood from
 * many addresses does not fill the memory. Two addresses rarely share a name, and then lose little.
 */
export const bucketOf = (address: string): string => hash("sha256", networkOf(address)).slice(0, 4);

/** A client with an IPv6 address can use any address of its /64 (RFC 7421), so a /64 is one client. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1]; // IPv4 on a dual-stack socket
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [left = [], right = []] = address.split("::").map((part) => part.split(":"));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  return [...left, ...zeros, ...right].slice(0, 4).join(":");
}
