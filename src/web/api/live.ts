import { createStore } from "../store.ts";
import { reportOffline, reportOnline } from "./connection.ts";

/**
 * Decides when the page reads again: after the person's own change, when the stream of events
 * (./stream.ts) reports another, and by a timer. No other part decides it.
 */

export type Topic =
  | "spots"
  | "spotAccess"
  | "favorite-spots"
  | "availabilities"
  | "patterns"
  | "exceptions"
  | "claims"
  | "calendar-feed"
  | "push-subscriptions"
  | "wishes"
  | "notifications"
  | "profiles"
  | "invitations"
  | "building"
  | "profile"
  | "webhooks"
  | "deliveries"
  | "keys"
  | "passkeys"
  | "spot-reports"
  | "reports";

export interface LiveEvent {
  readonly type: string;
  readonly data: unknown;
}

/** The time of the last successful reading, and the reason why there is no newer one. */
export interface Stale {
  readonly readAt: number;
  readonly error?: unknown;
}

export interface Live {
  readonly topics: readonly Topic[];
  /** @returns whether it applied the event and need not be read again */
  hear(event: LiveEvent): boolean;
  /** The time until which the data is new enough. */
  freshUntil(): number;
  /** Undefined if the newest reading succeeded or was refused. */
  stale(): Stale | undefined;
  refresh(): Promise<void>;
  /** Marks it as old, so that it is read again when it is shown. */
  expire(): void;
}

const EVERY = 5_000;

const known = new Set<Live>();
const shown = new Map<Live, number>();

export const announce = (live: Live): void => {
  known.add(live);
};

export const forget = (live: Live): void => {
  known.delete(live);
};

export const isShown = (live: Live): boolean => shown.has(live);

/** The oldest data that is shown and could not be read again. The page says so on every screen. */
export const stale = createStore<Stale | undefined>(undefined);

export function lookForStale(): void {
  const all = [...shown.keys()].flatMap((live) => live.stale() ?? []);
  stale.set(all.toSorted((a, b) => a.readAt - b.readAt)[0]);
}

export function keepFresh(live: Live): () => void {
  // It may have been forgotten before it was shown.
  known.add(live);
  shown.set(live, (shown.get(live) ?? 0) + 1);
  lookForStale();
  return () => {
    const others = (shown.get(live) ?? 1) - 1;
    if (others > 0) shown.set(live, others);
    else shown.delete(live);
    lookForStale();
  };
}

/** The readings that are caused by changes. */
let readAgain: Promise<unknown> = Promise.resolve();

export const whenReadAgain = (): Promise<unknown> => readAgain;
const about = (topics: readonly Topic[]): readonly Live[] =>
  [...known].filter((live) => live.topics.some((topic) => topics.includes(topic)));

/** The topics of changes that are read together. */
let held: Topic[] | undefined;

/** After the person's own change: reads at once what it affects. */
export function changed(...topics: readonly Topic[]): void {
  if (held) held.push(...topics);
  else renew(about(topics));
}

/** Makes several changes, and then reads once what they affect. */
export async function asOne(act: () => Promise<void>): Promise<void> {
  held = [];
  await act().finally(() => {
    const topics = held ?? [];
    held = undefined;
    changed(...topics);
  });
}

function renew(them: Iterable<Live>): void {
  const isLookedAt = document.visibilityState === "visible";
  for (const live of them) {
    // Data that is read at once is also old until then.
    live.expire();
    if (shown.has(live) && isLookedAt) readAgain = Promise.all([readAgain, live.refresh()]);
  }
}

/** The lists whose changes the stream reports to everybody who reads them. */
const streamed: ReadonlySet<Topic> = new Set([
  "spots",
  "availabilities",
  "patterns",
  "claims",
  "notifications",
  "profiles",
  "spot-reports",
]);

/** The time since which the stream has reported every change, while it is connected. */
let heardSince = Number.POSITIVE_INFINITY;
let isFollowed = false;

/** @param isResumed whether it has reported everything since it was last connected */
export function followed(isResumed: boolean): void {
  isFollowed = true;
  if (!isResumed) heardSince = Date.now();
}

export function lost(): void {
  isFollowed = false;
}

/** Whether data that was read then would have been read again after a change. */
export const isHeardOf = (topics: readonly Topic[], readAt: number): boolean =>
  isFollowed && readAt >= heardSince && topics.every((topic) => streamed.has(topic));

/** Changes that happen together are read once, and not by all pages at the same moment. */
const SOON = 100;
const SPREAD = 200;
/** The service limits the requests in a minute, so readings are this far apart. */
const GAP = 5_000;

const toRenew = new Set<Live>();
let touching: ReturnType<typeof setTimeout> | undefined;
/** By performance.now(): if the clock is set back, the next reading would otherwise be far away. */
let readAgainAt = Number.NEGATIVE_INFINITY;

/**
 * After a change by others: reads again soon, or when somebody looks at the page, what cannot apply
 * the event.
 * @param event undefined if it is unknown what happened
 */
export function touched(topics: readonly Topic[], event?: LiveEvent): void {
  for (const live of about(topics)) {
    if (event === undefined || !live.hear(event)) toRenew.add(live);
  }
  if (touching !== undefined || toRenew.size === 0) return;
  const wait = Math.max(SOON + SPREAD * Math.random(), readAgainAt + GAP - performance.now());
  touching = setTimeout(() => {
    touching = undefined;
    readAgainAt = performance.now();
    const them = [...toRenew];
    toRenew.clear();
    renew(them);
  }, wait);
}

export function refreshShown(): void {
  for (const live of shown.keys()) live.refresh();
}

function refreshStale(): void {
  if (document.visibilityState !== "visible" || !navigator.onLine) return;
  for (const live of shown.keys()) if (live.freshUntil() <= Date.now()) live.refresh();
}

export function startRefreshing(): void {
  setInterval(refreshStale, EVERY);
  document.addEventListener("visibilitychange", refreshStale);
  addEventListener("offline", reportOffline);
  addEventListener("online", () => {
    reportOnline();
    refreshShown();
  });
}
