import { changed, type Topic } from "./live.ts";
import { ApiProblem, Unreachable } from "./problem.ts";

/** What a command changes, by the beginning of its path without `/admin`. The first line counts. */
const effects: readonly (readonly [path: RegExp, ...topics: readonly Topic[]])[] = [
  [/\/preview$/],
  [/\/access$/, "spotAccess"],
  [/^\/availabilities/, "availabilities"],
  [/^\/(building|sections)/, "building", "reports"],
  [/^\/calendar-feed/, "calendar"],
  [/^\/claims/, "claims", "availabilities", "notifications"],
  [/^\/exceptions/, "exceptions", "availabilities"],
  [/^\/favorite-spots/, "favoriteSpots"],
  [/^\/invitations/, "invitations", "profiles", "spots"],
  [/^\/keys/, "keys"],
  [/^\/notifications/, "notifications"],
  [/^\/parking-spots/, "spots", "availabilities", "claims"],
  [/^\/patterns/, "patterns", "availabilities"],
  [/^\/profile\/preferences/, "preferences"],
  [/^\/profiles/, "profiles", "spots", "availabilities", "claims"],
  [/^\/push-subscriptions/, "push"],
  [/^\/spot-reports/, "spotReports"],
  [/^\/webhooks\/[^/]+\/(test|replay)/, "deliveries"],
  [/^\/webhooks/, "webhooks"],
  [/^\/wishes/, "wishes", "notifications"],
];

/**
 * Sends a command, after which the page reads again what it has changed. After a lost answer it may
 * have changed something, and after some refusals somebody else has.
 */
export function withEffects<Answer>(path: string, sent: Promise<Answer>): Promise<Answer> {
  const [, ...topics] = effects.find(([it]) => it.test(path.replace("/admin", ""))) ?? [/^/];
  const isOver = (error: unknown) =>
    error instanceof ApiProblem ? [404, 409].includes(error.status) : error instanceof Unreachable;
  sent.then(
    () => changed(...topics),
    (error) => isOver(error) && changed(...topics),
  );
  return sent;
}
