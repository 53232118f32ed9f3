import type { Context } from "koa";
import { LRUCache } from "lru-cache";
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
  const chargeAddress = (ctx: Context, points: number) =>
    void rateOf(counter.charge(limit, bucketOf(ctx.ip), points));

  return async <T extends object>(ctx: Context, secret: string, use: Use<T>) => {
    const gives = known.get(secret);
    if (gives === undefined) chargeAddress(ctx, 0);
    else await limits.chargeSecret(ctx, gives);

    const used = await use();
    if (used === undefined) {
      known.delete(secret);
      chargeAddress(ctx, 1);
      return undefined;
    }
    known.set(secret, used.gives);
    if (gives === undefined) await limits.chargeSecret(ctx, used.gives);
    return used;
  };
}
