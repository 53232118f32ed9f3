import type { Pool } from "pg";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from "rate-limiter-flexible";

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
  /** In milliseconds since 1970. */
  readonly endsAt: number;
  /** Whether more was charged than was left. */
  readonly isExceeded: boolean;
}

/** Counts the points of each key. A charge is one atomic step, so none is lost. */
export interface Counter {
  charge(key: string, points: number): Promise<Standing>;
  /** Does not charge; undefined where no window is open. */
  look(key: string): Promise<Standing | undefined>;
}

/** For a single process. A key uses memory until its window ends. */
export const countInMemory = (limit: Limit): Counter =>
  counterOf(limit, new RateLimiterMemory(optionsOf(limit)));

/**
 * For several processes that serve one building: its database holds the counts. Where they cannot
 * be read, nothing else can, and the request fails like all others. The clocks of the processes
 * decide when a window ends, so they should agree, as they must for tokens.
 */
export const countInPostgres =
  (pool: Pool) =>
  (limit: Limit): Counter =>
    counterOf(
      limit,
      new RateLimiterPostgres({
        ...optionsOf(limit),
        storeClient: pool,
        storeType: "pool",
        schemaName: "private",
        tableName: "rate_limits",
        tableCreated: true, // by a migration: sql/rate_limits/table.sql
        // Requests beyond the limit are refused from memory: they write nothing to the database.
        inMemoryBlockOnConsumed: limit.points,
      }),
    );

const optionsOf = ({ name, points, seconds }: Limit) => ({
  keyPrefix: name,
  points,
  duration: seconds,
});

function counterOf(limit: Limit, limiter: RateLimiterAbstract): Counter {
  const standing = (result: RateLimiterRes, isExceeded = false): Standing => ({
    limit: limit.points,
    remaining: result.remainingPoints,
    endsAt: Date.now() + result.msBeforeNext,
    isExceeded,
  });

  return {
    async charge(key, points) {
      try {
        return standing(await limiter.consume(key, points));
      } catch (reason) {
        if (reason instanceof RateLimiterRes) return standing(reason, true);
        throw reason; // the charge itself failed
      }
    },
    async look(key) {
      const result = await limiter.get(key);
      return result === null ? undefined : standing(result);
    },
  };
}
