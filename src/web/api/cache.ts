interface CacheProperties<Value> {
  /** So many are kept, and all that are in use. */
  readonly most: number;
  readonly isInUse: (value: Value) => boolean;
  readonly dropped: (value: Value) => void;
}

/**
 * Values by key, which are made when they are first asked for. It does not grow with the life of the
 * page: of those that are not in use, the one goes first that was asked for longest ago.
 */
export function createCache<Value>({ most, isInUse, dropped }: CacheProperties<Value>) {
  // The one that was asked for last is the last one.
  const kept = new Map<string, Value>();

  /** The newest will be in use as soon as it is shown. */
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
