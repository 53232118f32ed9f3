/** Requests that the index has sent (../begin.ts), by path. */
export interface Begun {
  readonly token: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  /** Their answers, or undefined for a request that failed: then the page sends it itself. */
  readonly answers: Map<string, Promise<unknown>>;
}

declare global {
  var begun: Begun | undefined;
}

/** After this time, the page must read again. */
const LIFETIME = 10_000;

/** The answer to a request that the index has sent. Only the first caller gets it. */
export function takeBegun(path: string, token: string): Promise<unknown> | undefined {
  const { begun } = globalThis;
  if (begun?.token !== token || Date.now() - begun.at > LIFETIME) return undefined;
  const answer = begun.answers.get(path);
  begun.answers.delete(path);
  return answer;
}
