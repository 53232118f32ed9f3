import { useEffect } from "preact/hooks";
import { keep, keptValue } from "../sign-in/kept.ts";
import { createStore, type Store, useStore } from "../store.ts";
import { announce, isHeardOf, keepFresh, type Live, type Topic } from "./live.ts";

/** What was read from the API, as far as it came. */
export interface Reading<Value> {
  /** Also while it is read again, and when that failed. */
  readonly value?: Value;
  readonly error?: unknown;
  readonly readAt?: number;
  /** It is what an earlier visit read. */
  readonly isEarlier?: boolean;
}

export interface Source<Value> {
  /** Two readings with the same key are one. */
  readonly key: string;
  /** A change of these makes it old. */
  readonly topics: readonly Topic[];
  readonly read: () => Promise<Value>;
  /** How long it counts as new, in milliseconds. */
  readonly lifetime?: number;
  /** What the person last saw is kept between visits, so that it is there at once, also offline. */
  readonly isKept?: boolean;
}

const LIFETIME = 60_000;
/** What is heard of lives so many times as long: some changes have no event, as when an owner is suspended. */
const HEARD_OF = 5;

interface Kept {
  readonly store: Store<Reading<unknown>>;
  readonly live: Live;
}

/** What was read stays for the life of the page, so that a screen that is opened again is there at once. */
const kept = new Map<string, Kept>();

function keptFor({
  key,
  topics,
  read,
  lifetime = LIFETIME,
  isKept = false,
}: Source<unknown>): Kept {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const earlier = isKept ? keptValue(key) : undefined;
  const store = createStore<Reading<unknown>>(earlier ? { ...earlier, isEarlier: true } : {});
  let latest = 0;
  // What changes seldom is not asked for at each start.
  let startedAt = earlier !== undefined && lifetime > LIFETIME ? earlier.readAt : 0;
  const refresh = async (): Promise<void> => {
    latest += 1;
    startedAt = Date.now();
    const ticket = latest;
    try {
      const value = await read();
      // An answer that was overtaken by a later one is older.
      if (ticket !== latest) return;
      store.set({ value, readAt: startedAt });
      if (isKept) keep(key, value, startedAt);
    } catch (error) {
      if (ticket === latest) store.set({ ...store.get(), error });
    }
  };
  const expire = (): void => {
    startedAt = 0;
  };
  const freshUntil = (): number =>
    startedAt + (isHeardOf(topics, startedAt) ? HEARD_OF * lifetime : lifetime);
  const live: Live = { topics, freshUntil, refresh, expire };
  announce(live);
  const made = { store, live };
  kept.set(key, made);
  return made;
}

/** Reads, and reads again while the part is shown. */
export function useReading<Value>(source: Source<Value>): Reading<Value> {
  const { store, live } = keptFor(source);
  useEffect(() => {
    if (live.freshUntil() <= Date.now()) live.refresh();
    return keepFresh(live);
  }, [live]);
  return useStore(store) as Reading<Value>;
}

/** Reads what will be wanted, also offline. */
export function readAhead(source: Source<unknown>): void {
  const { live } = keptFor(source);
  if (live.freshUntil() <= Date.now()) live.refresh();
}
