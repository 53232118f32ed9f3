import { reportOffline, reportOnline } from "./connection.ts";

/**
 * When the page reads again. This is the one place that knows: today by a timer, later perhaps by a
 * stream of changes.
 */

/** What a change may concern: the lists of the API. */
export type Topic =
  | "spots"
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
  | "reports";

/** Something that was read, and can be read again. */
export interface Live {
  readonly topics: readonly Topic[];
  /** Until when what was read is new enough. */
  freshUntil(): number;
  refresh(): void;
  /** Makes it old, so that it is read again when it is shown. */
  expire(): void;
}

const EVERY = 5_000;

const known = new Set<Live>();
const shown = new Set<Live>();

export const announce = (live: Live): void => {
  known.add(live);
};

/** While it is shown, it is kept new. */
export function keepFresh(live: Live): () => void {
  shown.add(live);
  return () => shown.delete(live);
}

/** After an own change: what it concerns is read at once. */
export function changed(...topics: readonly Topic[]): void {
  for (const live of known) {
    if (!live.topics.some((topic) => topics.includes(topic))) continue;
    if (shown.has(live)) live.refresh();
    else live.expire();
  }
}

/** After a failure, when somebody asks for it. */
export function refreshShown(): void {
  for (const live of shown) live.refresh();
}

function refreshStale(): void {
  if (document.visibilityState !== "visible" || !navigator.onLine) return;
  for (const live of shown) if (live.freshUntil() <= Date.now()) live.refresh();
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
