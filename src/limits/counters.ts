import type { Pool } from "pg";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from "rate-limiter-flexible";

/** So many points in so many seconds. The first charge opens a window; no later one moves its end. */
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
  /** Whether it was charged more than it had left. */
  readonly isExceeded: boolean;
}

/** Counts what keys are charged; a single step for each charge, so that none is lost or let by. */
export interface Counter {
  charge(key: string, points: number): Promise<Standing>;
  /** Charges nothing; undefined where no window is open. */
  look(key: string): Promise<Standing | undefined>;
}

/** For a process that serves alone. A key costs memory until its window ends. */
export const countInMemory = (limit: Limit): Counter =>
  counterOf(limit, new RateLimiterMemory(optionsOf(limit)));

/**
 * For processes that share a building: the counts stand in its database, so that where they cannot
 * be had nothing else can, and the request fails as any other then does. The end of a window is
 * told by the clocks of the processes, which should agree as they must about tokens.
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
        // Whoever hammers on after that makes the database write nothing.
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
        throw reason; // it was not counted at all
      }
    },
    async look(key) {
      const result = await limiter.get(key);
      return result === null ? undefined : standing(result);
    },
  };
}
