const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The waits between attempts, as in Standard Webhooks: more than three days in total. */
const WAITS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** The largest extension of a wait. Attempts that failed together are not repeated together. */
const JITTER = 0.2;

/** The longest wait, even if a receiver asks for more. */
const LONGEST_WAIT_MS = 24 * HOUR;

/**
 * The wait after a failed attempt; undefined after the last one.
 * @param failures the number of failed attempts, including this one
 * @param askedForMs the shortest wait that the receiver asked for
 * @param random from 0 to 1
 */
export function nextWait(
  failures: number,
  askedForMs = 0,
  random: number = Math.random(),
): number | undefined {
  const wait = WAITS_MS[failures - 1];
  if (wait === undefined) return undefined;
  return Math.round(Math.max(wait, Math.min(askedForMs, LONGEST_WAIT_MS)) * (1 + JITTER * random));
}

/** The wait that `Retry-After` gives, as seconds or as an HTTP date (RFC 9110, 10.2.3). */
export function retryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const wait = /^\d{1,9}$/.test(header)
    ? Number(header) * SECOND
    : Date.parse(header) - now.getTime();
  return wait > 0 ? wait : undefined; // excludes NaN
}
