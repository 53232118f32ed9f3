/**
 * Calls `make` for the first caller, and gives the result to all. A failure is kept for as many
 * milliseconds as `failureLasts` returns, by default none. After that, the next caller tries again.
 */
export function lazy<T>(
  make: () => Promise<T>,
  failureLasts: (error: unknown) => number = () => 0,
): () => Promise<T> {
  let made: Promise<T> | undefined;
  let failedUntil = Number.POSITIVE_INFINITY;
  return () => {
    if (performance.now() >= failedUntil) made = undefined;
    if (made === undefined) {
      failedUntil = Number.POSITIVE_INFINITY;
      made = make();
      made.catch((error) => {
        failedUntil = performance.now() + failureLasts(error);
      });
    }
    return made;
  };
}

/** Calls `make` once for each key. The result goes when nothing refers to the key any more. */
export function oncePer<Key extends object, Value extends object>(
  make: (key: Key) => Value,
): (key: Key) => Value {
  const all = new WeakMap<Key, Value>();
  return (key) => {
    const known = all.get(key);
    if (known) return known;
    const made = make(key);
    all.set(key, made);
    return made;
  };
}
