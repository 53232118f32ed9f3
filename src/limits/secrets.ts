import type { Context } from "koa";
import { LRUCache } from "lru-cache";
import { isOutage } from "../errors/outage.ts";
import { Problem } from "../errors/problem.ts";
import type { RateLimits } from "./limits.ts";
import { countInMemory, limitOf, rateOf } from "./limits.ts";
import { bucketOf } from "./refused-tokens.ts";

/** The number of good secrets that are remembered, which bounds the memory for them. */
const MOST_REMEMBERED = 5_000;

export interface SecretLimitParts {
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
