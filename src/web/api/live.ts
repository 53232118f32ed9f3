import { createStore } from "../store.ts";
import { reportOffline, reportOnline } from "./connection.ts";

/**
 * When the page reads again. This is the one place that knows: after an own change, when the stream of
 * events (./stream.ts) tells of another, and by a timer.
 */

/** What a change may concern: the lists of the API. */
export type Topic =
  | "spots"
  | "spotAccess"
  | "availabilities"
  | "patterns"
  | "exceptions"
  | "claims"
  | "calendar"
  | "wishes"
  | "notifications"
  | "profiles"
  | "invitations"
  | "building"
  | "preferences"
  | "webhooks"
  | "deliveries"
  | "spotReports"
  | "reports";

/** What others changed, as the stream tells it. */
export interface LiveEvent {
  readonly type: string;
  readonly data: unknown;
}

/** When it was read that nothing newer could be read of, and why. */
export interface Stale {
  readonly readAt: number;
  readonly error?: unknown;
}

/** Something that was read, and can be read again. */
export interface Live {
  readonly topics: readonly Topic[];
  /** @returns whether it has made of the event what it says, and need not be read again */
  hear(event: LiveEvent): boolean;
  /** Until when what was read is new enough. */
  freshUntil(): number;
  /** Undefined where the newest reading succeeded, or was refused. */
  stale(): Stale | undefined;
  refresh(): Promise<void>;
  /** Makes it old, so that it is read again when it is shown. */
  expire(): void;
}

const EVERY = 5_000;

const known = new Set<Live>();
/** By how many parts of the page each is shown. */
const shown = new Map<Live, number>();

export const announce = (live: Live): void => {
  known.add(live);
};

export const forget = (live: Live): void => {
  known.delete(live);
};

export const isShown = (live: Live): boolean => shown.has(live);

/** The oldest that is shown. The page says so, whatever the screen is. */
export const stale = createStore<Stale | undefined>(undefined);

export function lookForStale(): void {
  const all = [...shown.keys()].flatMap((live) => live.stale() ?? []);
  stale.set(all.toSorted((a, b) => a.readAt - b.readAt)[0]);
}

/** While it is shown, it is kept new. */
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

/** What is read because of changes. */
let readAgain: Promise<unknown> = Promise.resolve();

/** Once it shows what was changed. */
export const whenReadAgain = (): Promise<unknown> => readAgain;
const about = (topics: readonly Topic[]): readonly Live[] =>
  [...known].filter((live) => live.topics.some((topic) => topics.includes(topic)));

/** After an own change: what it concerns is read at once. */
export const changed = (...topics: readonly Topic[]): void => renew(about(topics));

function renew(them: Iterable<Live>): void {
  const isLookedAt = document.visibilityState === "visible";
  for (const live of them) {
    // Also what is read at once is old until then.
    live.expire();
    if (shown.has(live) && isLookedAt) readAgain = Promise.all([readAgain, live.refresh()]);
  }
}

/** Of the lists, those whose changes the stream tells to all who read them. */
const streamed: ReadonlySet<Topic> = new Set([
  "spots",
  "availabilities",
  "patterns",
  "claims",
  "notifications",
  "profiles",
  "spotReports",
]);

/** Since when all their changes were heard of, while the stream is there. */
let heardSince = Number.POSITIVE_INFINITY;
let isFollowed = false;

/** @param isResumed whether it has told all since it was there before */
export function followed(isResumed: boolean): void {
  isFollowed = true;
  if (!isResumed) heardSince = Date.now();
}

export function lost(): void {
  isFollowed = false;
}

/** Whether what was read then would have been read again if it had changed. */
export const isHeardOf = (topics: readonly Topic[], readAt: number): boolean =>
  isFollowed && readAt >= heardSince && topics.every((topic) => streamed.has(topic));

/** So that what happens together is read once, and not by all who look at the same moment. */
const SOON = 100;
const SPREAD = 200;
/** The service allows so many requests in a minute. */
const GAP = 5_000;

const toRenew = new Set<Live>();
let touching: ReturnType<typeof setTimeout> | undefined;
/** By performance.now(): with a clock that is set back, the next reading would be far away. */
let readAgainAt = Number.NEGATIVE_INFINITY;

/**
 * After a change by others: what cannot make of the event what it says is read soon, or when somebody looks.
 *
 * @param event undefined where it is not known what happened
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

/** After a failure, when somebody asks for it. */
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
