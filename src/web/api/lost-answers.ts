interface Lost {
  readonly key: string;
  readonly at: number;
}

/**
 * The keys of requests without an answer, by their content. A person who tries again means the same
 * request. With the same key, the service executes it once and returns the lost answer.
 */
const lost = new Map<string, Lost>();

const MOST = 10;
/** In milliseconds. Later, others may have undone the request, and the person means a new one. */
const LIFETIME = 5 * 60_000;

export function keyFor(request: string): string {
  const { key, at } = lost.get(request) ?? { at: 0 };
  return key !== undefined && Date.now() - at < LIFETIME ? key : crypto.randomUUID();
}

export function keepKey(request: string, key: string): void {
  lost.delete(request);
  lost.set(request, { key, at: Date.now() });
  const [oldest = ""] = lost.keys();
  if (lost.size > MOST) lost.delete(oldest);
}

/** After a change, which may undo a request without an answer. */
export const forgetKeys = (): void => lost.clear();
