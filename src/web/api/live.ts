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

/** Something that was read, and can be read again. */
export interface Live {
  readonly topics: readonly Topic[];
  /** Until when what was read is new enough. */
  freshUntil(): number;
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

/** While it is shown, it is kept new. */
export function keepFresh(live: Live): () => void {
  // It may have been forgotten before it was shown.
  known.add(live);
  shown.set(live, (shown.get(live) ?? 0) + 1);
  return () => {
    const others = (shown.get(live) ?? 1) - 1;
    if (others > 0) shown.set(live, others);
    else shown.delete(live);
  };
}

/** What is read because of changes. */
let readAgain: Promise<unknown> = Promise.resolve();

/** Once it shows what was changed. */
export const whenReadAgain = (): Promise<unknown> => readAgain;

/** After an own change: what it concerns is read at once. */
export function changed(...topics: readonly Topic[]): void {
  const isLookedAt = document.visibilityState === "visible";
  for (const live of known) {
    if (!live.topics.some((topic) => topics.includes(topic))) continue;
    // Also what is read at once is old until then.
    live.expire();
    if (shown.has(live) && isLookedAt) readAgain = Promise.all([readAgain, live.refresh()]);
  }
}

/** Of the lists, those whose changes the stream tells. */
const streamed: ReadonlySet<Topic> = new Set([
  "spots",
  "availabilities",
  "patterns",
  "claims",
  "notifications",
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

const touchedTopics = new Set<Topic>();
let touching: ReturnType<typeof setTimeout> | undefined;
/** By performance.now(): with a clock that is set back, the next reading would be far away. */
let readAgainAt = Number.NEGATIVE_INFINITY;

/** After a change by others: it is read soon, or when somebody looks. */
export function touched(topics: readonly Topic[]): void {
  for (const topic of topics) touchedTopics.add(topic);
  if (touching !== undefined) return;
  const wait = Math.max(SOON + SPREAD * Math.random(), readAgainAt + GAP - performance.now());
  touching = setTimeout(() => {
    touching = undefined;
    readAgainAt = performance.now();
    const them = [...touchedTopics];
    touchedTopics.clear();
    changed(...them);
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
