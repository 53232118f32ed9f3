import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import type { Context, Middleware } from "koa";
import { LRUCache } from "lru-cache";
import { Problem } from "../errors/problem.ts";
import { isAboutToken } from "../tokens/verifier.ts";
import { countInMemory, limitOf, rateOf } from "./limits.ts";

const MOST_REMEMBERED = 5_000;
/**
 * A token that is refused for its time, or for a key that is not yet fetched, may be good later.
 */
const MEMORY_MS = 60_000;

/**
 * Runs around authentication. An address that keeps sending refused tokens gets 429 instead of 401,
 * and the same tokens are not verified again. Each process counts in its own memory, because an
 * unknown client must not make the database write.
 */
export function limitRefusedTokens(perMinute: number): Middleware {
  const limit = limitOf("refused-tokens", perMinute, 60);
  const counter = countInMemory();
  const refused = new LRUCache<string, true>({ max: MOST_REMEMBERED, ttl: MEMORY_MS });

  return async (ctx, next) => {
    const charge = (points: number) => counter.charge(limit, bucketOf(ctx.ip), points);
    // Nothing was refused in the usual case, so the request is not hashed.
    const isKnown = refused.size > 0 && refused.has(digestOf(ctx.req));
    if (isKnown && charge(0).some(({ isExceeded }) => isExceeded)) rateOf(charge(1));
    try {
      await next();
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
