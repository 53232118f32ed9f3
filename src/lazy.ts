/**
 * What `make` makes for the first caller, and then for all. A failure is not kept, or for as long as
 * `failureLasts` says of it, in milliseconds: then the next caller tries again.
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

/** What `make` makes for each key, once. It goes when nobody has the key any more. */
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
