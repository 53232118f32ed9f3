import type { Context, Middleware, ParameterizedContext } from "koa";
import type { Pool } from "pg";
import type { RateLimitConfig } from "../config/config.ts";
import type { Route } from "../contract/route.ts";
import { runAlone } from "../database/transaction.ts";
import { Problem } from "../errors/problem.ts";
import { callerOf, type RequestState } from "../tokens/identity.ts";

export interface RateLimits {
  /** Charges the caller one point, after authentication. */
  readonly perCaller: Middleware<RequestState>;
  /**
   * Charges the caller, and sets the headers about the rest (specification, Limits). A request for
   * more points than are left is charged too, so that retries are not free.
   * @param points at least one; more for a request with the work of several
   * @returns undefined if the counts are in memory
   * @throws Problem 429 if fewer points are left
   */
  charge(ctx: ParameterizedContext<RequestState>, points: number): Promise<void> | undefined;
  /**
   * Charges one point to the owner of a secret. The secret has as many points as a person, in
   * addition to the person's own.
   */
  chargeSecret(ctx: Context, gives: string): Promise<void> | undefined;
}

interface RateLimitParts {
  readonly pool: Pool;
  readonly routes: readonly Pick<Route, "method" | "path" | "limit">[];
  readonly basePath: string;
}

type Headed = Pick<Context, "set">;

const MINUTE = 60;
const HOUR = 60 * MINUTE;

export function createRateLimits(config: RateLimitConfig, parts: RateLimitParts): RateLimits {
  const { pool, routes, basePath } = parts;
  const counter = config.store === "postgres" ? countInPostgres(pool) : countInMemory();
  const minute = limitOf("minute", config.perMinute, MINUTE);
  const hour = limitOf("hour", config.perHour, HOUR);
  const profileMinute = limitOf("profile-minute", config.profilePerMinute, MINUTE);
  const profileHour = limitOf("profile-hour", config.profilePerHour, HOUR);
  const forAll = [...minute, ...hour];
  const forKey = [
    ...limitOf("minute", config.keyPerMinute, MINUTE),
    ...limitOf("hour", config.keyPerHour, HOUR),
  ];
  const forProfile = [...profileMinute, ...minute, ...profileHour, ...hour];
  const profileRequests = new Set(
    routes
      .filter(({ limit }) => limit === "profile")
      .map(({ method, path }) => `${method} ${basePath}${path}`),
  );

  const charge: RateLimits["charge"] = (ctx, points) => {
    const method = ctx.method === "HEAD" ? "GET" : ctx.method; // HEAD is answered by the route of GET
    const { identity } = ctx.state;
    const isOfProfile = profileRequests.has(`${method} ${ctx.path}`);
    const limits = identity.key ? forKey : isOfProfile ? forProfile : forAll;
    return chargeKey(ctx, limits, callerOf(identity), points);
  };
  const chargeSecret: RateLimits["chargeSecret"] = (ctx, gives) => chargeKey(ctx, forAll, gives, 1);

  function chargeKey(ctx: Headed, limits: readonly Limit[], key: string, points: number) {
    if (limits.length === 0) return undefined;
    const standings = counter.charge(limits, key, points);
    if (standings instanceof Promise) return standings.then((them) => ctx.set(rateOf(them)));
    ctx.set(rateOf(standings));
    return undefined;
  }
  const perCaller: RateLimits["perCaller"] = (ctx, next) => charge(ctx, 1)?.then(next) ?? next();
  return { perCaller, charge, chargeSecret };
}

/** The points allowed in a window. The first charge opens the window; later ones do not move its end. */
interface Limit {
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

/** No limit if it is turned off. */
export const limitOf = (name: string, points: number, seconds: number): readonly Limit[] =>
  points > 0 ? [{ name, points, seconds }] : [];

/** The state of a key's window. */
interface Standing {
  readonly limit: number;
  readonly remaining: number;
  /** By performance.now(), because people can set the machine's clock. */
  readonly endsAt: number;
  /** Whether the charge was more than what remained. */
  readonly isExceeded: boolean;
}

const standingOf = ({ points }: Limit, charged: number, endsAt: number): Standing => ({
  limit: points,
  remaining: Math.max(0, points - charged),
  endsAt,
  isExceeded: charged > points,
});

type Standings = readonly Standing[];

/** Counts the points of each key. A charge is one atomic step, so no point is lost. */
interface Counter {
  /**
   * Charges the windows in order until one has too little left. If the minute refuses, the hour is
   * not charged, so a client that keeps sending loses only the minute. The other windows are only
   * read: Retry-After must cover every full one.
   * @param limits the shortest first
   * @param points 0 only reads
   * @returns the standings of open windows
   */
  charge(limits: readonly Limit[], key: string, points: number): Standings | Promise<Standings>;
}

/** A counter that returns its result without waiting. */
interface MemoryCounter extends Counter {
  /** @param points negative to give points back, if the window is still open */
  charge(limits: readonly Limit[], key: string, points: number): Standings;
}

interface Window {
  charged: number;
  readonly endsAt: number;
}

/** For a single process. A key uses memory until its window has ended and another window opens. */
export function countInMemory(): MemoryCounter {
  /**
   * By the name of the limit, then by key. All windows of a limit last equally long, so the first
   * ones end first.
   */
  const windows = new Map<string, Map<string, Window>>();

  function open(all: Map<string, Window>, limit: Limit, key: string, now: number): Window {
    for (const [other, { endsAt }] of all) {
      if (endsAt > now) break;
      all.delete(other);
    }
    const opened = { charged: 0, endsAt: now + limit.seconds * 1_000 };
    all.set(key, opened);
    return opened;
  }

  return {
    charge(limits, key, points) {
      const now = performance.now();
      const standings: Standing[] = [];
      let left = points;
      for (const limit of limits) {
        const all = windows.get(limit.name) ?? new Map<string, Window>();
        windows.set(limit.name, all);
        const known = all.get(key);
        const isOpen = known !== undefined && known.endsAt > now;
        if (!isOpen && left <= 0) continue;
        const window = isOpen ? known : open(all, limit, key, now);
        window.charged += left;
        const standing = standingOf(limit, window.charged, window.endsAt);
        if (standing.isExceeded) left = 0;
        standings.push(standing);
      }
      return standings;
    },
  };
}

/** One call for all windows of a request: a window is cheap compared with a call. */
const statement = {
  name: "charge_rate_limits",
  text: "select charged, milliseconds from private.charge_rate_limits($1, $2, $3, $4, $5)",
};

/**
 * For several processes that serve one building. The building's database holds the counts, and its
 * clock decides when a window ends. If it does not answer, the request fails like all others.
 */
export const countInPostgres = (pool: Pool): Counter => ({
  async charge(limits, key, points) {
    const arrayOf = (values: readonly (string | number)[]): string => `{${values.join()}}`;
    const rows = await runAlone(pool, {
      ...statement,
      values: [
        key,
        String(points),
        arrayOf(limits.map(({ name }) => name)),
        arrayOf(limits.map((limit) => limit.points)),
        arrayOf(limits.map(({ seconds }) => seconds)),
      ],
    });
    const now = performance.now();
    return limits.flatMap((limit, i) => {
      const [charged, milliseconds] = rows[i] ?? [];
      if (charged === null) return []; // no window is open
      return [standingOf(limit, Number(charged), now + Number(milliseconds))];
    });
  },
});

/**
 * @returns the headers for the window with the least remaining
 * @throws Problem 429 if a window is exceeded
 */
export function rateOf(standings: Standings): Record<string, string> {
  let tightest = standings[0];
  if (tightest === undefined) return {};
  for (const standing of standings) if (isTighter(standing, tightest)) tightest = standing;
  const headers = rateHeaders(tightest);
  if (!standings.some(({ isExceeded }) => isExceeded)) return headers;
  const seconds = Math.max(1, Math.ceil(millisecondsLeft(tightest) / 1000));
  throw new Problem("too_many_requests", {
    headers: { ...headers, "Retry-After": String(seconds) },
  });
}

/** If two have the same remaining, the one that lasts longer is tighter. */
const isTighter = (one: Standing, other: Standing): boolean =>
  (one.remaining - other.remaining || other.endsAt - one.endsAt) < 0;

/** The time is rounded up, so that the window is over in the second that Reset names. */
const rateHeaders = (standing: Standing) => ({
  "X-RateLimit-Limit": String(standing.limit),
  "X-RateLimit-Remaining": String(standing.remaining),
  "X-RateLimit-Reset": String(Math.ceil((Date.now() + millisecondsLeft(standing)) / 1000)),
});

const millisecondsLeft = ({ endsAt }: Standing): number => endsAt - performance.now();
