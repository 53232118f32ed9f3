import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import type { Context, Middleware } from "koa";
import { LRUCache } from "lru-cache";
import { Problem } from "../errors/problem.ts";
import { isAboutToken } from "../tokens/verifier.ts";
import { countInMemory, limitOf, rateOf } from "./counters.ts";

const MOST_REMEMBERED = 5_000;
/** One that is refused for its time, or for a key that is not fetched yet, may be good later. */
const MEMORY_MS = 60_000;

/**
 * Around authentication: an address that keeps sending refused tokens gets 429 instead of 401, and
 * those that it sends again are not verified again. Each process counts them by itself, in memory: an
 * unknown client must not make the database write.
 */
export function limitRefusedTokens(perMinute: number): Middleware {
  const limit = limitOf("refused-tokens", perMinute, 60);
  const counter = countInMemory();
  const refused = new LRUCache<string, true>({ max: MOST_REMEMBERED, ttl: MEMORY_MS });

  return async (ctx, next) => {
    const charge = (points: number) => counter.charge(limit, bucketOf(ctx.ip), points);
    // The usual request is not hashed: nothing was refused.
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

/** A request without a token costs nothing to refuse. */
const isRefusedToken = (error: unknown, ctx: Context): boolean =>
  error instanceof Problem && isAboutToken(error) && ctx.get("Authorization") !== "";

/** Of all Authorization headers: one of several is no other request's only one. */
const digestOf = ({ headersDistinct: { authorization = [] } }: IncomingMessage): string =>
  hash("sha256", authorization.join("\n"), "base64");

/**
 * The name under which an address is counted. There are only 65,536, so that a flood from many
 * addresses does not fill the memory. Two addresses rarely share a name, and lose little by it.
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
