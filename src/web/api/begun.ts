/** Requests that the index has sent (../begin.ts), by path. */
export interface Begun {
  readonly token: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  /** What they were answered; undefined where that failed: then the page asks itself. */
  readonly answers: Map<string, Promise<unknown>>;
}

declare global {
  var begun: Begun | undefined;
}

/** What comes later has to be read anew. */
const LIFETIME = 10_000;

/** The answer to a request that the index has sent, for the first who asks for it. */
export function takeBegun(path: string, token: string): Promise<unknown> | undefined {
  const { begun } = globalThis;
  if (begun?.token !== token || Date.now() - begun.at > LIFETIME) return undefined;
  const answer = begun.answers.get(path);
  begun.answers.delete(path);
  return answer;
}
