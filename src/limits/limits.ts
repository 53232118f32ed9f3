import type { Context, Middleware, ParameterizedContext } from "koa";
import type { Pool } from "pg";
import type { RateLimitConfig } from "../config.ts";
import { Problem } from "../errors/problem.ts";
import type { RequestState } from "../tokens/identity.ts";
import { bucketOf } from "./client-address.ts";
import { type Counter, countInMemory, countInPostgres, type Standing } from "./counters.ts";

export interface RateLimits {
  /** Around authentication: an address that goes on sending refused tokens gets 429, not 401. */
  readonly ofAddresses: Middleware;
  /** After authentication: charges the caller one point. */
  readonly ofCallers: Middleware<RequestState>;
  /**
   * Charges the caller, and lets the response tell what is left (specification, Limits). A request
   * for more than that is charged too, so that it cannot be tried over and over.
   *
   * @param points at least one; more for a request that does the work of several
   * @throws Problem 429 where less is left
   */
  charge(ctx: ParameterizedContext<RequestState>, points: number): Promise<void>;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

export function createRateLimits(
  config: RateLimitConfig,
  { pool, basePath }: { readonly pool: Pool; readonly basePath: string },
): RateLimits {
  const makeCounter = config.store === "postgres" ? countInPostgres(pool) : countInMemory;
  /** No counter at all for a limit that is turned off. */
  const counter = (name: string, points: number, seconds: number, make = makeCounter) =>
    points > 0 ? [make({ name, points, seconds })] : [];

  const minute = counter("minute", config.perMinute, MINUTE);
  const hour = counter("hour", config.perHour, HOUR);
  const profileMinute = counter("profile-minute", config.profilePerMinute, MINUTE);
  const profileHour = counter("profile-hour", config.profilePerHour, HOUR);
  const ofAnyRequest = [...minute, ...hour];
  const ofProfileReads = [...profileMinute, ...minute, ...profileHour, ...hour];

  // Always in memory, each process for itself: a stranger shall not make the database write.
  const perAddress = config.refusedTokensPerMinute;
  const ofRefusedTokens = counter("refused-tokens", perAddress, MINUTE, countInMemory);

  async function charge(ctx: ParameterizedContext<RequestState>, points: number): Promise<void> {
    const isProfileRead = /^(GET|HEAD)$/.test(ctx.method) && ctx.path === `${basePath}/profile`;
    const counters = isProfileRead ? ofProfileReads : ofAnyRequest;
    ctx.set(await chargeInTurn(counters, ctx.state.identity.sub, points));
  }

  return {
    async ofAddresses(ctx, next) {
      try {
        await next();
      } catch (error) {
        if (isRefusedToken(error, ctx)) await chargeInTurn(ofRefusedTokens, bucketOf(ctx.ip), 1);
        throw error;
      }
    },
    async ofCallers(ctx, next) {
      await charge(ctx, 1);
      await next();
    },
    charge,
  };
}

/** A request without a token costs nothing to refuse. */
const isRefusedToken = (error: unknown, ctx: Context): boolean =>
  error instanceof Problem && error.status === 401 && ctx.get("Authorization") !== "";

type HeaderFields = Record<string, string>;

/**
 * Charges one window after the other, the shortest first, until one has not enough left. So what
 * is refused for the minute is not charged to the hour: a client that hammers on loses the minute
 * and no more. The windows after that are looked at, since Retry-After must outlast every full one.
 *
 * @returns the headers that tell of the window with the least remaining
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

/** Times are rounded up: at the second that is told the window is over. */
const headersOf = ({ limit, remaining, endsAt }: Standing): HeaderFields => ({
  "X-RateLimit-Limit": String(limit),
  "X-RateLimit-Remaining": String(remaining),
  "X-RateLimit-Reset": String(Math.ceil(endsAt / 1000)),
});

function tooManyRequests(standing: Standing): Problem {
  const seconds = Math.ceil((standing.endsAt - Date.now()) / 1000);
  const headers = { ...headersOf(standing), "Retry-After": String(Math.max(1, seconds)) };
  return new Problem("too_many_requests", { headers });
}
