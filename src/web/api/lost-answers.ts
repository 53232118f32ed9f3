interface Lost {
  readonly key: string;
  /** In milliseconds since 1970. */
  readonly at: number;
}

/**
 * The keys of requests without an answer, by what they ask. Who tries again means the same request: so the
 * service carries it out once, and gives the answer that was lost.
 */
const lost = new Map<string, Lost>();

const MOST = 10;
/** Later, others may have undone it, and somebody means a new one, in milliseconds. */
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

/** After a change: it may undo what was carried out without an answer. */
export const forgetKeys = (): void => lost.clear();
