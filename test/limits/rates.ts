import type { Answer } from "../support/person.ts";

/** What the headers say about the window with the least remaining. */
export const rateOf = ({ headers }: Answer<unknown>) => ({
  limit: numberIn(headers, "X-RateLimit-Limit"),
  remaining: numberIn(headers, "X-RateLimit-Remaining"),
  reset: numberIn(headers, "X-RateLimit-Reset"),
});

export const noRate = { limit: undefined, remaining: undefined, reset: undefined };

export const retryAfter = ({ headers }: Answer<unknown>) => numberIn(headers, "Retry-After");

/** Undefined where the header is missing, NaN where it is not a whole number. */
function numberIn(headers: Headers, name: string): number | undefined {
  const text = headers.get(name);
  if (text === null) return undefined;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

export const remainingOf = (answer: Answer<unknown>) => rateOf(answer).remaining;

/** How many answers had each status. */
export function statuses(answers: readonly Answer<unknown>[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** One after the other. */
export async function times<T>(count: number, ask: () => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  for (let i = 0; i < count; i += 1) answers.push(await ask());
  return answers;
}

/** At once as many as a service has connections for: none is refused with 503. */
export const CONNECTIONS = 20;
export async function inWaves<T>(
  count: number,
  ask: (i: number) => Promise<T>,
  size = CONNECTIONS,
): Promise<T[]> {
  const waves = await times(count / size, () => atOnce(size, ask));
  return waves.flat();
}

/** All at once. */
export const atOnce = <T>(count: number, ask: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => ask(i)));
