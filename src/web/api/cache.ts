interface CacheProperties<Value> {
  readonly most: number;
  readonly isInUse: (value: Value) => boolean;
  readonly dropped: (value: Value) => void;
}

/**
 * Values by key, which are made when they are first asked for. The cache does not grow with the
 * time that the page is open: of the values that are not in use, the least recently used one goes
 * first.
 */
export function createCache<Value>({ most, isInUse, dropped }: CacheProperties<Value>) {
  // The most recently used key is the last one.
  const kept = new Map<string, Value>();

  /** The newest value will be in use as soon as it is shown. */
  function shrink(newest: string): void {
    for (const [key, value] of kept) {
      if (kept.size <= most || key === newest) return;
      if (isInUse(value)) continue;
      kept.delete(key);
      dropped(value);
    }
  }

  return {
    get(key: string, make: () => Value): Value {
      const known = kept.get(key);
      const value = known ?? make();
      kept.delete(key);
      kept.set(key, value);
      if (known === undefined) shrink(key);
      return value;
    },
  };
}
