import { Problem } from "../errors/problem.ts";

/** The points allowed in a window. The first charge opens the window; later ones do not move its end. */
export interface Limit {
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

/** No limit if it is turned off. */
export const limitOf = (name: string, points: number, seconds: number): readonly Limit[] =>
  points > 0 ? [{ name, points, seconds }] : [];

/** The state of a key's window. */
export interface Standing {
  readonly limit: number;
  readonly remaining: number;
  /** By performance.now(), because people can set the machine's clock. */
  readonly endsAt: number;
  /** Whether the charge was more than what remained. */
  readonly isExceeded: boolean;
}

export const standingOf = ({ points }: Limit, charged: number, endsAt: number): Standing => ({
  limit: points,
  remaining: Math.max(0, points - charged),
  endsAt,
  isExceeded: charged > points,
});

export type Standings = readonly Standing[];

/** Counts the points of each key. A charge is one atomic step, so no point is lost. */
export interface Counter {
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
export interface MemoryCounter extends Counter {
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
