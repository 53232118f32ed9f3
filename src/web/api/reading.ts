import { useLayoutEffect, useRef } from "preact/hooks";
import { keep, keepAsOld, keptValue } from "../sign-in/kept.ts";
import { createStore, type Store, useStore } from "../store.ts";
import { createCache } from "./cache.ts";
import { connection } from "./connection.ts";
import {
  announce,
  forget,
  isHeardOf,
  isShown,
  keepFresh,
  type Live,
  type LiveEvent,
  lookForStale,
  type Stale,
  type Topic,
} from "./live.ts";
import { ApiProblem, Unreachable } from "./problem.ts";

/** What was read from the API, as far as it came. */
export interface Reading<Value> {
  /** Also while it is read again, and when that failed. */
  readonly value?: Value;
  readonly error?: unknown;
  readonly readAt?: number;
  /** It is what an earlier visit read. */
  readonly isEarlier?: boolean;
  /** There was a change since. */
  readonly isOld?: boolean;
}

export interface Source<Value> {
  /** Two readings with the same key are one. */
  readonly key: string;
  /** A change of these makes it old. */
  readonly topics: readonly Topic[];
  readonly read: () => Promise<Value>;
  /** What an event of its topics makes of it. Without this, it is read again. */
  apply?(value: Value, event: LiveEvent): Value;
  /** How long it counts as new, in milliseconds. */
  readonly lifetime?: number;
  /** What the person last saw is kept between visits, so that it is there at once, also offline. */
  readonly isKept?: boolean;
}

const LIFETIME = 60_000;
/** What is heard of lives so many times as long: some changes have no event, as when an owner is suspended. */
const HEARD_OF = 5;
/**
 * What was not answered is asked for again after so long: the network may be there before it works. What
 * the service failed at counts for the rate limit: it is asked for more and more seldom.
 */
const WHILE_UNANSWERED = 10_000;

interface Kept {
  readonly store: Store<Reading<unknown>>;
  readonly live: Live;
}

/** More than somebody looks at within an hour. */
const MOST = 100;

/** What was read stays, so that a screen that is opened again is there at once. */
const kept = createCache<Kept>({
  most: MOST,
  isInUse: ({ live }) => isShown(live),
  dropped: ({ live }) => forget(live),
});

/** @param before what is shown until it is read */
function make(source: Source<unknown>, before: Reading<unknown> = {}): Kept {
  const { key, topics, read, apply, lifetime = LIFETIME, isKept = false } = source;
  const earlier = isKept ? keptValue(key) : undefined;
  let latest = 0;
  let settled = 0;
  let failures = 0;
  let failedAt = 0;
  /** The answer that is under way may be older. */
  let heard: LiveEvent[] = [];
  // What changes seldom is not asked for at each start.
  const isTrusted = isKept && lifetime > LIFETIME;
  let startedAt = earlier && isTrusted && !earlier.isOld ? earlier.readAt : 0;
  const store = createStore<Reading<unknown>>(
    earlier ? { ...earlier, isEarlier: startedAt === 0 } : before,
  );
  const refresh = async (): Promise<void> => {
    latest += 1;
    const ticket = latest;
    heard = [];
    // Apart from startedAt, for it may be made old while it is read.
    const readAt = Date.now();
    startedAt = readAt;
    try {
      const answer = await read();
      // An answer that was overtaken by a later one is older.
      if (ticket !== latest) return;
      const value = apply ? heard.reduce(apply, answer) : answer;
      settled = ticket;
      failures = 0;
      const isOld = startedAt === 0;
      store.set({ value, readAt, isOld });
      if (isKept) keep(key, value, readAt, isOld);
    } catch (error) {
      if (ticket !== latest) return;
      settled = ticket;
      failedAt = Date.now();
      failures = mayPass(error) ? failures + 1 : 0;
      store.set({ ...store.get(), error });
    } finally {
      lookForStale();
    }
  };
  const expire = (): void => {
    startedAt = 0;
    store.set({ ...store.get(), isOld: true });
    if (isTrusted) keepAsOld(key);
  };
  const freshUntil = (): number => {
    if (startedAt === 0) return 0;
    // On a slow network an answer may take longer than these pauses.
    if (settled !== latest) return startedAt + lifetime;
    const triedAt = Math.max(startedAt, failedAt);
    if (connection.get().state === "offline") return triedAt + WHILE_UNANSWERED;
    if (failures > 0) return triedAt + Math.min(lifetime, WHILE_UNANSWERED * 2 ** (failures - 1));
    const isHeard = store.get().error === undefined && isHeardOf(topics, startedAt);
    return startedAt + (isHeard ? HEARD_OF * lifetime : lifetime);
  };
  const hear = (event: LiveEvent): boolean => {
    if (apply === undefined) return false;
    const { value } = store.get();
    if (value !== undefined) store.set({ ...store.get(), value: apply(value, event) });
    if (settled === latest) return value !== undefined;
    heard.push(event);
    return true;
  };
  const stale = (): Stale | undefined => {
    const { readAt, isEarlier, error } = store.get();
    const isRefused = error instanceof ApiProblem && error.status < 429;
    if (readAt === undefined || isRefused) return undefined;
    return isEarlier || error !== undefined ? { readAt, error } : undefined;
  };
  const live: Live = { topics, hear, freshUntil, stale, refresh, expire };
  announce(live);
  return { store, live };
}

/** Another answer is to be expected without anybody's doing. */
const mayPass = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof ApiProblem && error.status >= 500);

/** Reads, and reads again while the part is shown. */
export function useReading<Value>(source: Source<Value>, before?: Reading<Value>): Reading<Value> {
  const { store, live } = kept.get(source.key, () => make(source, before));
  // Before the browser paints: what has come already is painted at once.
  useLayoutEffect(() => {
    if (live.freshUntil() <= Date.now()) live.refresh();
    return keepFresh(live);
  }, [live]);
  return useStore(store) as Reading<Value>;
}

/**
 * As useReading, of a source whose key moves with the clock: until it has been read under the new key, it is
 * what it was, so that nothing that is shown or typed goes with it.
 */
export function useMovingReading<Value>(source: Source<Value>): Reading<Value> {
  const last = useRef<Reading<Value>>({});
  last.current = useReading(source, last.current);
  return last.current;
}

/** As it is now, or where that cannot be read, as it was. */
export async function readNow<Value>(source: Source<Value>): Promise<Value | undefined> {
  const { store, live } = kept.get(source.key, () => make(source));
  const { value, isOld, isEarlier } = store.get();
  const isNew = value !== undefined && !isOld && !isEarlier && live.freshUntil() > Date.now();
  if (!isNew) await live.refresh();
  return store.get().value as Value | undefined;
}

/** Reads what will be wanted, also offline. */
export function readAhead(source: Source<unknown>): void {
  const { live } = kept.get(source.key, () => make(source));
  if (live.freshUntil() <= Date.now()) live.refresh();
}
