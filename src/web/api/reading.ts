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

export interface Reading<Value> {
  /** It stays while the data is read again, and after a failure. */
  readonly value?: Value;
  readonly error?: unknown;
  readonly readAt?: number;
  /** The value is from an earlier visit. */
  readonly isEarlier?: boolean;
  readonly isOld?: boolean;
}

export interface Source<Value> {
  readonly key: string;
  /** Changes of these topics make it old. */
  readonly topics: readonly Topic[];
  readonly read: () => Promise<Value>;
  /** Applies an event of its topics to the value. Without it, the source is read again. */
  apply?(value: Value, event: LiveEvent): Value;
  /** The time for which it counts as new, in milliseconds. */
  readonly lifetime?: number;
  /** The last value is stored between visits, so that it is there at once, also offline. */
  readonly isKept?: boolean;
}

const LIFETIME = 60_000;
/**
 * The factor for the lifetime of data that the stream keeps current. Some changes have no event,
 * for example when an owner is suspended.
 */
const HEARD_OF = 5;
/**
 * The first pause before another attempt, in milliseconds: the browser may report the network
 * before it works. Failures of the service count for the rate limit, so the pauses grow.
 */
const WHILE_UNANSWERED = 10_000;

interface Entry {
  readonly store: Store<Reading<unknown>>;
  readonly live: Live;
}

const MOST = 100;

/** Values stay, so that a screen that is opened again is there at once. */
const entries = createCache<Entry>({
  most: MOST,
  isInUse: ({ live }) => isShown(live),
  dropped: ({ live }) => forget(live),
});

/** @param before what is shown until it is read */
function make(source: Source<unknown>, before: Reading<unknown> = {}): Entry {
  const { key, topics, read, apply, lifetime = LIFETIME, isKept = false } = source;
  const earlier = isKept ? keptValue(key) : undefined;
  let latest = 0;
  let settled = 0;
  let failures = 0;
  let failedAt = 0;
  /** Events since the last request, because its answer may be older. */
  let heard: LiveEvent[] = [];
  // Data that changes seldom is not requested at each start.
  const isTrusted = isKept && lifetime > LIFETIME;
  let startedAt = earlier && isTrusted && !earlier.isOld ? earlier.readAt : 0;
  const store = createStore<Reading<unknown>>(
    earlier ? { ...earlier, isEarlier: startedAt === 0 } : before,
  );
  const refresh = async (): Promise<void> => {
    latest += 1;
    const ticket = latest;
    heard = [];
    // This differs from startedAt, which a change may reset during the reading.
    const readAt = Date.now();
    startedAt = readAt;
    try {
      const answer = await read();
      // A later answer has overtaken this one, which is older.
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

/** Whether a later attempt may succeed without anybody's help. */
const mayPass = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof ApiProblem && error.status >= 500);

/** Reads, and reads again while the component is shown. */
export function useReading<Value>(source: Source<Value>, before?: Reading<Value>): Reading<Value> {
  const { store, live } = entries.get(source.key, () => make(source, before));
  // Before the browser paints, so that data that has already arrived is painted at once.
  useLayoutEffect(() => {
    if (live.freshUntil() <= Date.now()) live.refresh();
    return keepFresh(live);
  }, [live]);
  return useStore(store) as Reading<Value>;
}

/**
 * Like useReading, for a source whose key moves with the clock. Until the new key has been read, it
 * returns the last value, so that nothing that is shown or typed is lost.
 */
export function useMovingReading<Value>(source: Source<Value>): Reading<Value> {
  const last = useRef<Reading<Value>>({});
  last.current = useReading(source, last.current);
  return last.current;
}

/** Readings that are shown together: their values once all are there, or else what failed. */
export function together<Values extends object>(
  readings: {
    readonly [Name in keyof Values]: Reading<Values[Name]>;
  },
): Reading<Values> {
  const all = Object.entries<Reading<unknown>>(readings);
  if (all.some(([, { value }]) => value === undefined)) {
    return { error: all.find(([, { error }]) => error !== undefined)?.[1].error };
  }
  return { value: Object.fromEntries(all.map(([name, { value }]) => [name, value])) as Values };
}

/** The newest value or, if that cannot be read, the last one. */
export async function readNow<Value>(source: Source<Value>): Promise<Value | undefined> {
  const { store, live } = entries.get(source.key, () => make(source));
  const { value, isOld, isEarlier } = store.get();
  const isNew = value !== undefined && !isOld && !isEarlier && live.freshUntil() > Date.now();
  if (!isNew) await live.refresh();
  return store.get().value as Value | undefined;
}

/** Reads data that people will need later, also offline. */
export function readAhead(source: Source<unknown>): void {
  const { live } = entries.get(source.key, () => make(source));
  if (live.freshUntil() <= Date.now()) live.refresh();
}
