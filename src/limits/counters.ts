import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { refuseIfOverloaded } from "../database/connection.ts";

/** The points allowed in a window. The first charge opens the window; later ones do not move its end. */
export interface Limit {
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

/** What a key has left in its window. */
export interface Standing {
  readonly limit: number;
  readonly remaining: number;
  /** By performance.now(), which nobody sets as they set a machine's clock. */
  readonly endsAt: number;
  /** Whether more was charged than was left. */
  readonly isExceeded: boolean;
}

/** Callers whose exceeded windows a process remembers. */
const MOST_EXCEEDED = 10_000;

/** Counts the points of each key. A charge is one atomic step, so none is lost. */
export interface Counter {
  charge(key: string, points: number): Promise<Standing>;
  /** Does not charge; undefined where no window is open. */
  look(key: string): Promise<Standing | undefined>;
}

/** For a single process. A key uses memory until its window ends. */
export function countInMemory({ name, points: limit, seconds }: Limit): Counter {
  const limiter = new RateLimiterMemory({ keyPrefix: name, points: limit, duration: seconds });
  const standing = ({ consumedPoints, msBeforeNext }: RateLimiterRes): Standing =>
    // A timer ends the window; this is by the machine's clock, which may have been set back.
    standingOf(limit, consumedPoints, Math.min(msBeforeNext, seconds * 1_000));

  return {
    async charge(key, points) {
      try {
        return standing(await limiter.consume(key, points));
      } catch (reason) {
        if (reason instanceof RateLimiterRes) return standing(reason);
        throw reason; // the charge itself failed
      }
    },
    async look(key) {
      const result = await limiter.get(key);
      return result === null ? undefined : standing(result);
    },
  };
}

/**
 * For several processes that serve one building: its database holds the counts, and its clock says
 * when a window ends. Where it does not answer, the request fails like all others. Requests beyond
 * the limit are refused from memory, so that they cost the database nothing.
 */
export const countInPostgres =
  (pool: Pool) =>
  ({ name, points: limit, seconds }: Limit): Counter => {
    const exceeded = new LRUCache<string, Standing>({ max: MOST_EXCEEDED });

    async function charge(key: string, points: number): Promise<Standing | undefined> {
      refuseIfOverloaded(pool);
      const { rows } = await pool.query<{ charged: number | null; milliseconds: number }>(
        "select charged, milliseconds from private.charge_rate_limit($1, $2, $3, $4)",
        [`${name}:${key}`, points, limit, seconds],
      );
      const { charged, milliseconds } = rows[0] ?? { charged: null, milliseconds: 0 };
      return charged === null ? undefined : standingOf(limit, charged, milliseconds);
    }
    return {
      async charge(key, points) {
        const known = exceeded.get(key);
        if (known !== undefined && known.endsAt > performance.now()) return known;
        const standing = await charge(key, points);
        if (standing === undefined) throw new Error(`${key} was not charged`);
        if (standing.isExceeded) exceeded.set(key, standing);
        return standing;
      },
      look: (key) => charge(key, 0),
    };
  };

const standingOf = (limit: number, charged: number, milliseconds: number): Standing => ({
  limit,
  remaining: Math.max(0, limit - charged),
  endsAt: performance.now() + milliseconds,
  isExceeded: charged > limit,
});
