import { Problem } from "../errors/problem.ts";
import type { Standing, Standings } from "./counters.ts";

type RateHeaders = Record<string, string>;

/**
 * @returns the headers for the window with the least remaining
 * @throws Problem 429 where a window is exceeded
 */
export function rateOf(standings: Standings): RateHeaders {
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

/** Of two with equally little remaining, the one that lasts longer. */
const isTighter = (one: Standing, other: Standing): boolean =>
  (one.remaining - other.remaining || other.endsAt - one.endsAt) < 0;

/** Rounded up, so that the window is over in the second that Reset names. */
const rateHeaders = (standing: Standing): RateHeaders => ({
  "X-RateLimit-Limit": String(standing.limit),
  "X-RateLimit-Remaining": String(standing.remaining),
  "X-RateLimit-Reset": String(Math.ceil((Date.now() + millisecondsLeft(standing)) / 1000)),
});

const millisecondsLeft = ({ endsAt }: Standing): number => endsAt - performance.now();
