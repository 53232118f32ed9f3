import type { Context, Middleware, ParameterizedContext } from "koa";
import type { Pool } from "pg";
import type { RateLimitConfig } from "../config/config.ts";
import { Problem } from "../errors/problem.ts";
import type { RequestState } from "../tokens/identity.ts";
import { isAboutToken } from "../tokens/signature.ts";
import { bucketOf } from "./client-address.ts";
import type { Limit, Standing, Standings } from "./counters.ts";
import { countInMemory } from "./memory.ts";
import { countInPostgres } from "./postgres.ts";
import { refusedCredentials } from "./refused-tokens.ts";

export interface RateLimits {
  /**
   * Around authentication: an address that keeps sending refused tokens gets 429 instead of 401, and
   * those that it sends again are not verified again.
   */
  readonly perAddress: Middleware;
  /** After authentication: charges the caller one point. */
  readonly perCaller: Middleware<RequestState>;
  /**
   * Charges the caller, and sets the headers that say what is left (specification, Limits). A
   * request for more points than are left is charged too, so that retrying it is not free.
   *
   * @param points at least one; more for a request that does the work of several
   * @returns nothing to wait for where the counts are in memory
   * @throws Problem 429 where less is left
   */
  charge(ctx: ParameterizedContext<RequestState>, points: number): Promise<void> | undefined;
}

/** Of a route, what decides how it is limited. */
interface LimitedRoute {
  readonly method: string;
  readonly path: string;
  readonly limit?: "profile";
}

export interface RateLimitParts {
  readonly pool: Pool;
  readonly routes: readonly LimitedRoute[];
  readonly basePath: string;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

export function createRateLimits(config: RateLimitConfig, parts: RateLimitParts): RateLimits {
  const { pool, routes, basePath } = parts;
  // In memory each process counts refused tokens by itself: an unknown client must not make the
  // database write.
  const memory = countInMemory();
  const counter = config.store === "postgres" ? countInPostgres(pool) : memory;

  const minute = limitOf("minute", config.perMinute, MINUTE);
  const hour = limitOf("hour", config.perHour, HOUR);
  const profileMinute = limitOf("profile-minute", config.profilePerMinute, MINUTE);
  const profileHour = limitOf("profile-hour", config.profilePerHour, HOUR);
  const forAll = [...minute, ...hour];
  const forProfile = [...profileMinute, ...minute, ...profileHour, ...hour];
  const profileRequests = new Set(
    routes.filter(({ limit }) => limit === "profile").map((it) => nameOf(it, basePath + it.path)),
  );

  const forRefusedTokens = limitOf("refused-tokens", config.refusedTokensPerMinute, MINUTE);
  const refused = refusedCredentials();

  function charge(ctx: ParameterizedContext<RequestState>, points: number) {
    const limits = profileRequests.has(nameOf(ctx, ctx.path)) ? forProfile : forAll;
    if (limits.length === 0) return;
    const standings = counter.charge(limits, ctx.state.identity.sub, points);
    if (standings instanceof Promise) return standings.then((them) => ctx.set(rateOf(them)));
    ctx.set(rateOf(standings));
    return;
  }

  return {
    async perAddress(ctx, next) {
      const address = bucketOf(ctx.ip);
      const chargeAddress = () => rateOf(memory.charge(forRefusedTokens, address, 1));
      const isExceeded = () => memory.look(forRefusedTokens, address).some((it) => it.isExceeded);
      if (refused.has(ctx.req) && isExceeded()) chargeAddress();
      try {
        await next();
      } catch (error) {
        if (isRefusedToken(error, ctx)) {
          refused.add(ctx.req);
          chargeAddress();
        }
        throw error;
      }
    },
    perCaller(ctx, next) {
      const charged = charge(ctx, 1);
      return charged ? charged.then(next) : next();
    },
    charge,
  };
}

/** None at all for a limit that is turned off. */
const limitOf = (name: string, points: number, seconds: number): readonly Limit[] =>
  points > 0 ? [{ name, points, seconds }] : [];

/** HEAD is answered by the route of GET. */
const nameOf = ({ method }: { readonly method: string }, path: string): string =>
  `${method === "HEAD" ? "GET" : method} ${path}`;

/** A request without a token costs nothing to refuse. */
const isRefusedToken = (error: unknown, ctx: Context): boolean =>
  error instanceof Problem && isAboutToken(error) && ctx.get("Authorization") !== "";

type HeaderFields = Record<string, string>;

/**
 * @returns the headers for the window with the least remaining
 * @throws Problem 429 where a window is exceeded
 */
function rateOf(standings: Standings): HeaderFields {
  const [tightest] = standings.toSorted((a, b) => a.remaining - b.remaining || b.endsAt - a.endsAt);
  if (tightest === undefined) return {};
  if (standings.some(({ isExceeded }) => isExceeded)) throw tooManyRequests(tightest);
  return headersOf(tightest);
}

/** Rounded up, so that the window is over in the second that Reset names. */
const headersOf = (standing: Standing): HeaderFields => ({
  "X-RateLimit-Limit": String(standing.limit),
  "X-RateLimit-Remaining": String(standing.remaining),
  "X-RateLimit-Reset": String(Math.ceil((Date.now() + millisecondsLeft(standing)) / 1000)),
});

const millisecondsLeft = ({ endsAt }: Standing): number => endsAt - performance.now();

function tooManyRequests(standing: Standing): Problem {
  const seconds = Math.ceil(millisecondsLeft(standing) / 1000);
  const headers = { ...headersOf(standing), "Retry-After": String(Math.max(1, seconds)) };
  return new Problem("too_many_requests", { headers });
}
