/** What `make` makes for the first caller, and then for all. A failure is not kept: the next caller tries again. */
export function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
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
