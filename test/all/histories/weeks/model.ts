import { isDeepStrictEqual } from "node:util";
import type { Model, Timed } from "../../../histories/linearize.ts";
import type { Body, Span } from "../../../histories/recorded.ts";
import { freeOf } from "../../../support/free-time.ts";
import { type Action, at, DAYS, FIRST_HOUR, type Recorded, SLOT_HOURS } from "./actions.ts";

type Rows<Row> = Readonly<Record<string, Row>>;

/** What is planned for a spot, and who claimed of it: all that is free follows from it. */
export interface Week {
  readonly patterns: Rows<{ readonly first: number; readonly until: number }>;
  readonly exceptions: Rows<Span & { readonly kind: string }>;
  readonly claims: Rows<Span>;
  /** The events of each pattern. */
  readonly logged: Rows<readonly string[]>;
}

/** What everybody sees of a spot: the starts of the slots of two hours that are free. */
export interface Seen {
  readonly free: readonly string[];
}

/** What the tables and the log have at the end. */
export interface Ending extends Timed, Seen {
  readonly patterns: readonly string[];
  readonly exceptions: readonly string[];
  /** The starts of the slots that are claimed. */
  readonly claimed: readonly string[];
  readonly logged: Rows<readonly string[]>;
}

export function slotsOf({ start, end }: Span): readonly string[] {
  const slots = [];
  for (let time = Date.parse(start); time < Date.parse(end); time += SLOT_HOURS * 3_600_000) {
    slots.push(new Date(time).toISOString());
  }
  return slots;
}

/** What an answer shows. */
export const readOf = ({ availabilities = [] }: Body): Seen => ({
  free: availabilities
    .flatMap(freeOf)
    .flatMap(({ start_time, end_time }) => slotsOf({ start: start_time, end: end_time }))
    .toSorted(),
});

const hoursOf = ({ first, until }: { first: number; until: number }): readonly string[] =>
  Array.from({ length: DAYS }, (_, i) => ({
    start: at(first + i, FIRST_HOUR),
    end: at(first + i, until),
  })).flatMap(slotsOf);

const covers = ({ start, end }: Span, slot: string): boolean => start <= slot && slot < end;
const ofKind = ({ exceptions }: Week, kind: string): readonly Span[] =>
  Object.values(exceptions).filter((it) => it.kind === kind);
const claimedOf = ({ claims }: Week): readonly string[] =>
  Object.values(claims).flatMap(slotsOf).toSorted();

/** What patterns and absences share, without what is kept and what is claimed. */
export const shownOf = (week: Week): Seen => {
  const shared = [
    ...Object.values(week.patterns).flatMap(hoursOf),
    ...ofKind(week, "share").flatMap(slotsOf),
  ];
  const kept = ofKind(week, "keep");
  const claimed = new Set(claimedOf(week));
  return {
    free: [...new Set(shared)]
      .filter((slot) => !claimed.has(slot) && !kept.some((it) => covers(it, slot)))
      .toSorted(),
  };
};

const without = <Row>(rows: Rows<Row>, id: string): Rows<Row> =>
  Object.fromEntries(Object.entries(rows).filter(([key]) => key !== id));
const event = ({ logged }: Week, pattern: string, type: string) => ({
  ...logged,
  [pattern]: [...(logged[pattern] ?? []), `pattern.${type}`],
});

/** The week after the action; undefined where it could not happen. */
function effectOf(week: Week, action: Action, body: Body): Week | undefined {
  const { patterns, exceptions, claims } = week;
  switch (action.kind) {
    case "share weekly": {
      const id = body.pattern?.id ?? "";
      return {
        ...week,
        patterns: { ...patterns, [id]: action },
        logged: event(week, id, "created"),
      };
    }
    case "widen pattern": {
      const before = patterns[action.pattern];
      return (
        before && {
          ...week,
          patterns: { ...patterns, [action.pattern]: { ...before, until: action.until } },
          logged: event(week, action.pattern, "updated"),
        }
      );
    }
    case "delete pattern": {
      const pattern = patterns[action.pattern];
      if (!pattern) return undefined;
      // Its days are of no other pattern, and absences share other hours.
      const hours = hoursOf(pattern);
      const within = Object.values(claims).filter(({ start }) => hours.includes(start)).length;
      const windows = body.claimed_availability_ids?.length ?? 0;
      if (windows > within || (within > 0 && windows === 0)) return undefined;
      return {
        ...week,
        patterns: without(patterns, action.pattern),
        logged: event(week, action.pattern, "deleted"),
      };
    }
    case "keep":
    case "share": {
      const id = body.exception?.id ?? "";
      const within = Object.keys(claims).filter((claim) => {
        const span = claims[claim];
        return span && span.start < action.end && action.start < span.end;
      });
      const shown = (body.claims ?? []).map((claim) => claim.id);
      if (!isDeepStrictEqual(shown.toSorted(), within.toSorted())) return undefined;
      return { ...week, exceptions: { ...exceptions, [id]: action } };
    }
    case "delete exception":
      return exceptions[action.exception]
        ? { ...week, exceptions: without(exceptions, action.exception) }
        : undefined;
    case "claim": {
      const { id = "", availability_id } = body.claim ?? {};
      const { free } = shownOf(week);
      const isFree = slotsOf(action).every((slot) => free.includes(slot));
      if (!isFree || availability_id !== action.window) return undefined;
      return { ...week, claims: { ...claims, [id]: action } };
    }
    case "cancel claim":
    case "delete claim": {
      // One that was cancelled may still be deleted.
      if (!claims[action.claim]) return action.kind === "delete claim" ? week : undefined;
      return { ...week, claims: without(claims, action.claim) };
    }
    case "read windows":
      return isDeepStrictEqual(readOf(body), shownOf(week)) ? week : undefined;
  }
}

const sorted = <Row>(rows: Rows<Row>): Rows<Row> =>
  Object.fromEntries(Object.entries(rows).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** The same in whatever order it came to be, so that the search knows it again. */
const inOrder = ({ patterns, exceptions, claims, logged }: Week): Week => ({
  patterns: sorted(patterns),
  exceptions: sorted(exceptions),
  claims: sorted(claims),
  logged: sorted(logged),
});

/** Whether what is refused as absent may be. */
const isAbsent = ({ patterns, exceptions, claims }: Week, action: Action): boolean =>
  !(
    ("pattern" in action && patterns[action.pattern]) ||
    ("exception" in action && exceptions[action.exception]) ||
    ("claim" in action && claims[action.claim])
  );

/** As exceptions_fifty_at_most has it. */
const MOST_EXCEPTIONS = 50;

/** The refusals of a claim of what is not free. */
const TAKEN = ["claims_one_per_availability", "claims_not_in_kept_time"];

/** Whether the week had a reason for this refusal. A window that is gone was made anew, under another id. */
const isRefused = (week: Week, action: Action, code: string): boolean => {
  if (code === "not_found") return isAbsent(week, action);
  if (code === "exceptions_fifty_at_most") {
    return Object.keys(week.exceptions).length >= MOST_EXCEPTIONS;
  }
  if (action.kind !== "claim" || !TAKEN.includes(code)) return true;
  const { free } = shownOf(week);
  return !slotsOf(action).every((slot) => free.includes(slot));
};

/** What the rules say about the plan of one spot. Which windows there are for it is not their matter. */
export const weekModel: Model<Week, Recorded | Ending> = {
  start: { patterns: {}, exceptions: {}, claims: {}, logged: {} },
  isReading: (operation) =>
    "free" in operation ||
    operation.outcome.result === "refused" ||
    operation.action.kind === "read windows",
  after: (week, operation) => {
    if ("free" in operation) {
      const { sent: _, answered: __, ...rows } = operation;
      const { patterns, exceptions, logged } = week;
      const expected = {
        ...shownOf(week),
        claimed: claimedOf(week),
        patterns: Object.keys(patterns).toSorted(),
        exceptions: Object.keys(exceptions).toSorted(),
        logged,
      };
      return isDeepStrictEqual(rows, expected) ? week : undefined;
    }
    const { action, outcome } = operation;
    if (outcome.result === "unknown") return undefined;
    if (outcome.result === "happened") {
      const next = effectOf(week, action, outcome.body);
      return next && inOrder(next);
    }
    return isRefused(week, action, outcome.code) ? week : undefined;
  },
};
