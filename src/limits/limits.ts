import type { Context, Middleware, ParameterizedContext } from "koa";
import type { Pool } from "pg";
import type { RateLimitConfig } from "../config/config.ts";
import type { Route } from "../contract/route.ts";
import { callerOf, type RequestState } from "../tokens/identity.ts";
import { countInMemory, type Limit, limitOf, rateOf } from "./counters.ts";
import { countInPostgres } from "./postgres.ts";

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

export interface RateLimitParts {
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
