import type { Context, Middleware, ParameterizedContext } from "koa";
import type { Pool } from "pg";
import type { RateLimitConfig } from "../config.ts";
import { Problem } from "../errors/problem.ts";
import type { RequestState } from "../tokens/identity.ts";
import { isAboutToken } from "../tokens/signature.ts";
import { bucketOf } from "./client-address.ts";
import { type Counter, countInMemory, countInPostgres, type Standing } from "./counters.ts";
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
   * @throws Problem 429 where less is left
   */
  charge(ctx: ParameterizedContext<RequestState>, points: number): Promise<void>;
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
  const makeCounter = config.store === "postgres" ? countInPostgres(pool) : countInMemory;
  /** No counter at all for a limit that is turned off. */
  const counter = (name: string, points: number, seconds: number, make = makeCounter) =>
    points > 0 ? [make({ name, points, seconds })] : [];

  const minute = counter("minute", config.perMinute, MINUTE);
  const hour = counter("hour", config.perHour, HOUR);
  const profileMinute = counter("profile-minute", config.profilePerMinute, MINUTE);
  const profileHour = counter("profile-hour", config.profilePerHour, HOUR);
  const forAll = [...minute, ...hour];
  const forProfile = [...profileMinute, ...minute, ...profileHour, ...hour];
  const profileRequests = new Set(
    routes.filter(({ limit }) => limit === "profile").map((it) => nameOf(it, basePath + it.path)),
  );

  // Always in memory, each process by itself: an unknown client must not make the database write.
  const perAddress = config.refusedTokensPerMinute;
  const forRefusedTokens = counter("refused-tokens", perAddress, MINUTE, countInMemory);
  const refused = refusedCredentials();

  async function charge(ctx: ParameterizedContext<RequestState>, points: number): Promise<void> {
    const counters = profileRequests.has(nameOf(ctx, ctx.path)) ? forProfile : forAll;
    ctx.set(await chargeInTurn(counters, ctx.state.identity.sub, points));
  }

  return {
    async perAddress(ctx, next) {
      const address = bucketOf(ctx.ip);
      const chargeAddress = () => chargeInTurn(forRefusedTokens, address, 1);
      if (refused.has(ctx.req) && (await isExceeded(forRefusedTokens, address)))
        await chargeAddress();
      try {
        await next();
      } catch (error) {
        if (isRefusedToken(error, ctx)) {
          refused.add(ctx.req);
          await chargeAddress();
        }
        throw error;
      }
    },
    async perCaller(ctx, next) {
      await charge(ctx, 1);
      await next();
    },
    charge,
  };
}

/** HEAD is answered by the route of GET. */
const nameOf = ({ method }: { readonly method: string }, path: string): string =>
  `${method === "HEAD" ? "GET" : method} ${path}`;

/** A request without a token costs nothing to refuse. */
const isRefusedToken = (error: unknown, ctx: Context): boolean =>
  error instanceof Problem && isAboutToken(error) && ctx.get("Authorization") !== "";

async function isExceeded(counters: readonly Counter[], key: string): Promise<boolean> {
  const standings = await Promise.all(counters.map((counter) => counter.look(key)));
  return standings.some((standing) => standing?.isExceeded);
}

type HeaderFields = Record<string, string>;

/**
 * Charges one window after the other, the shortest first, until one has too little left. So a
 * request that the minute refuses is not charged to the hour: a client that keeps sending loses the
 * minute and no more. The other windows are only looked at: Retry-After must cover every full one.
 *
 * @returns the headers for the window with the least remaining
 * @throws Problem 429 where a window is exceeded
 */
async function chargeInTurn(
  counters: readonly Counter[],
  key: string,
  points: number,
): Promise<HeaderFields> {
  const standings: Standing[] = [];
  const isRefused = () => standings.some(({ isExceeded }) => isExceeded);
  for (const counter of counters) {
    const standing = isRefused() ? await counter.look(key) : await counter.charge(key, points);
    if (standing !== undefined) standings.push(standing);
  }

  const [tightest] = standings.toSorted((a, b) => a.remaining - b.remaining || b.endsAt - a.endsAt);
  if (tightest === undefined) return {};
  if (isRefused()) throw tooManyRequests(tightest);
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
