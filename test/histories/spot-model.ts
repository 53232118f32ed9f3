import type { Model } from "./linearize.ts";
import type { Logged } from "./log.ts";
import type { Recorded } from "./recorded.ts";
import { type Ending, isAsAtTheEnd, isShown } from "./shown.ts";
import { type Effect, effectOf } from "./spot-effects.ts";
import { refusalsOf } from "./spot-refusals.ts";
import type { Acting, SpotState } from "./spot-state.ts";

/** An operation on one spot, or the look at its rows at the end. */
export type SpotOperation = (Recorded & Acting) | Ending;

/** What the rules of the building say about one spot. Without a log, there may be any events. */
export function spotModel(
  owner: string,
  log?: readonly Logged[],
  keepsRest = false,
): Model<SpotState, SpotOperation> {
  const logOf = Map.groupBy(log ?? [], ({ subject }) => subject);

  /** The state with its events counted; undefined where the log has others. */
  function logged({ state, happenings }: Effect, actor: string): SpotState | undefined {
    const counts = { ...state.logged };
    for (const { type, subject, start } of happenings) {
      const count = counts[subject] ?? 0;
      const event = logOf.get(subject)?.[count];
      const isSame = event?.type === type && event.actor === actor;
      if (log && !(isSame && (start === undefined || event.start === start))) return undefined;
      counts[subject] = count + 1;
    }
    return { ...state, logged: counts };
  }

  /** Whether the log has no other events. */
  const isWholeLog = (state: SpotState): boolean =>
    !log || Object.values(state.logged).reduce((sum, count) => sum + count, 0) === log.length;

  return {
    start: {
      exists: false,
      isOwnerApproved: true,
      windows: {},
      claims: {},
      keepsRest,
      logged: {},
    },
    isReading: (operation) =>
      "rows" in operation ||
      operation.outcome.result === "refused" ||
      operation.action.kind.startsWith("read"),
    after: (state, operation) => {
      if ("rows" in operation) {
        return isWholeLog(state) && isAsAtTheEnd(state, operation) ? state : undefined;
      }
      const { outcome, person } = operation;
      const refusals = refusalsOf(state, operation, owner);
      if (outcome.result === "refused") return refusals.includes(outcome.code) ? state : undefined;
      if (refusals.length > 0) return undefined;

      const effect = effectOf(state, operation);
      const next = logged(effect, person);
      if (next === undefined) return undefined;
      // It does not matter when nothing happened.
      if (outcome.result === "unknown") return effect.happenings.length > 0 ? next : undefined;
      return isShown(operation, outcome.body, next, owner) ? next : undefined;
    },
  };
}
