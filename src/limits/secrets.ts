import type { Context } from "koa";
import { LRUCache } from "lru-cache";
import { isOutage } from "../errors/outage.ts";
import { Problem } from "../errors/problem.ts";
import { countInMemory, limitOf, rateOf } from "./counters.ts";
import type { RateLimits } from "./limits.ts";
import { bucketOf } from "./refused-tokens.ts";

/** The secrets that are known to be good need no more memory than so many. */
const MOST_REMEMBERED = 5_000;

export interface SecretLimitParts {
  /** Of the limit for unknown secrets. */
  readonly name: string;
  readonly limits: Pick<RateLimits, "chargeSecret">;
  /** How many unknown secrets an address may send in a minute. */
  readonly unknownPerMinute: number;
}

/** Uses a secret. @returns also what it gives, by which is charged; undefined where it is unknown */
type Use<T> = () => Promise<(T & { readonly gives: string }) | undefined>;

/**
 * Charges requests that have no token but a secret. Many people may have one address, so who sends
 * unknown secrets does not stop those whose secret is known.
 */
export function limitSecrets({ name, limits, unknownPerMinute }: SecretLimitParts) {
  const limit = limitOf(name, unknownPerMinute, 60);
  const counter = countInMemory();
  const known = new LRUCache<string, string>({ max: MOST_REMEMBERED });

  /** From memory: an unknown client must not make the database write. */
  const charge = (ctx: Context, points: number) => counter.charge(limit, bucketOf(ctx.ip), points);

  /** Before a secret is tried: of many at once, no more are tried than may be wrong. */
  function chargeAddress(ctx: Context): void {
    const standings = charge(ctx, 1);
    if (standings.some(({ isExceeded }) => isExceeded)) charge(ctx, -1); // it is not tried
    rateOf(standings);
  }

  return async <T extends object>(ctx: Context, secret: string, use: Use<T>) => {
    const gives = known.get(secret);
    if (gives === undefined) chargeAddress(ctx);
    else await limits.chargeSecret(ctx, gives);
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
    if (gives === undefined) await limits.chargeSecret(ctx, used.gives);
    return used;
  };
}

/** An outage or an overload: the secret may be good, and after it all who have one come at once. */
const saysNothing = (error: unknown): boolean => error instanceof Problem || isOutage(error);
