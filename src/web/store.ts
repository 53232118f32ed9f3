import { useLayoutEffect, useState } from "preact/hooks";

export interface Store<Value> {
  get(): Value;
  set(value: Value): void;
  /** Calls the listener at each change, until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

export function createStore<Value>(initial: Value): Store<Value> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The value of a store. The component is drawn again at each change. */
export function useStore<Value>(store: Store<Value>): Value {
  const [, redraw] = useState({});
  const drawn = store.get();
  useLayoutEffect(() => {
    // It may have changed since the drawing.
    if (!Object.is(store.get(), drawn)) redraw({});
    return store.subscribe(() => redraw({}));
  }, [store]);
  return drawn;
}
