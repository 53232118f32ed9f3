const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The waits between tries, as Standard Webhooks has them: more than three days. */
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

/** So much longer may a wait be: what failed at one moment does not come back at one moment. */
const JITTER = 0.2;

/** A receiver that asks for more is asked again after this. */
const LONGEST_WAIT_MS = 24 * HOUR;

/**
 * How long to wait after a try that failed; undefined after the last.
 *
 * @param failures how many tries have failed, this one included
 * @param askedForMs the least that the receiver asked for
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

/** What a `Retry-After` says: seconds or a date of HTTP (RFC 9110, 10.2.3). */
export function retryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const wait = /^\d{1,9}$/.test(header)
    ? Number(header) * SECOND
    : Date.parse(header) - now.getTime();
  return wait > 0 ? wait : undefined; // NaN is not
}
