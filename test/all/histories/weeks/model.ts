import { isDeepStrictEqual } from "node:util";
import type { Model, Timed } from "../../../histories/linearize.ts";
import type { Body, Span } from "../../../histories/recorded.ts";
import { type Action, at, DAYS, FIRST_HOUR, type Recorded, SLOT_HOURS } from "./actions.ts";

/** Two hours that are on offer, or were before somebody claimed or kept them. */
interface Slot {
  /** The pattern or the exception that shares them; "" where it is gone, and a claim stayed. */
  readonly source: string;
  readonly claim: string;
}
type Rows<Row> = Readonly<Record<string, Row>>;

/** What is planned for a spot, and what became of it: all that windows do follows from it. */
export interface Week {
  readonly patterns: Rows<{ readonly first: number; readonly until: number }>;
  readonly exceptions: Rows<Span & { readonly kind: string }>;
  /** By their start. */
  readonly slots: Rows<Slot>;
  readonly claims: Rows<Span>;
  /** The events of each pattern. */
  readonly logged: Rows<readonly string[]>;
}

/** What everybody sees of a spot: the starts of the slots that are free, and of those that are claimed. */
export interface Seen {
  readonly free: readonly string[];
  readonly claimed: readonly string[];
}

/** What the tables and the log have at the end. */
export interface Ending extends Timed, Seen {
  readonly patterns: readonly string[];
  readonly exceptions: readonly string[];
  readonly logged: Rows<readonly string[]>;
}

export function slotsOf({ start, end }: Span): readonly string[] {
  const slots = [];
  for (let time = Date.parse(start); time < Date.parse(end); time += SLOT_HOURS * 3_600_000) {
    slots.push(new Date(time).toISOString());
  }
  return slots;
}

export const seenOf = (windows: readonly (Span & { readonly isClaimed: boolean })[]): Seen => ({
  free: windows
    .filter(({ isClaimed }) => !isClaimed)
    .flatMap(slotsOf)
    .toSorted(),
  claimed: windows
    .filter(({ isClaimed }) => isClaimed)
    .flatMap(slotsOf)
    .toSorted(),
});

/** What an answer shows. */
export const readOf = ({ availabilities = [] }: Body): Seen =>
  seenOf(
    availabilities.map((window) => ({
      start: window.start_time,
      end: window.end_time,
      isClaimed: window.is_claimed,
    })),
  );

const hoursOf = ({ first, until }: { first: number; until: number }): readonly string[] =>
  Array.from({ length: DAYS }, (_, i) => ({
    start: at(first + i, FIRST_HOUR),
    end: at(first + i, until),
  })).flatMap(slotsOf);

const isKept = ({ exceptions }: Week, slot: string): boolean =>
  Object.values(exceptions).some(
    ({ kind, start, end }) => kind === "keep" && start <= slot && slot < end,
  );
const isFree = (week: Week, slot: string): boolean =>
  week.slots[slot]?.claim === "" && !isKept(week, slot);

export const shownOf = (week: Week): Seen => {
  const starts = Object.keys(week.slots).toSorted();
  return {
    free: starts.filter((slot) => isFree(week, slot)),
    claimed: starts.filter((slot) => week.slots[slot]?.claim),
  };
};

const without = <Row>(rows: Rows<Row>, id: string): Rows<Row> =>
  Object.fromEntries(Object.entries(rows).filter(([key]) => key !== id));

/** What is on offer by this source is not any more; what is claimed stays so. */
const withdrawn = (slots: Rows<Slot>, source: string): Rows<Slot> =>
  Object.fromEntries(
    Object.entries(slots).flatMap(([start, slot]) => {
      if (slot.source !== source) return [[start, slot]];
      return slot.claim ? [[start, { ...slot, source: "" }]] : [];
    }),
  );
/** These are on offer by this source, where nothing is yet. */
const shared = (slots: Rows<Slot>, starts: readonly string[], source: string): Rows<Slot> => ({
  ...Object.fromEntries(starts.map((start) => [start, { source, claim: "" }])),
  ...slots,
});
/** What exceptions, made after another, share of slots that are gone is on offer by them, where nobody keeps it. */
const sharedAgain = (week: Week, gone: readonly string[], newerThan = ""): Week => {
  // Ids are in the order in which exceptions were made.
  const ids = Object.keys(week.exceptions)
    .filter((id) => id > newerThan)
    .toSorted();
  const shares = ids.flatMap((id) => {
    const { kind, ...span } = week.exceptions[id] ?? { kind: "", start: "", end: "" };
    return kind === "share" ? [{ id, ...span }] : [];
  });
  const slots = shares
    .toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start))
    .reduce((before, { id, start, end }) => {
      const its = gone.filter((slot) => start <= slot && slot < end && !isKept(week, slot));
      return shared(before, its, id);
    }, week.slots);
  return { ...week, slots };
};
const event = ({ logged }: Week, pattern: string, type: string) => ({
  ...logged,
  [pattern]: [...(logged[pattern] ?? []), `pattern.${type}`],
});

/** The week after the action; undefined where it could not happen. */
function effectOf(week: Week, action: Action, body: Body): Week | undefined {
  const { patterns, exceptions, slots, claims } = week;
  switch (action.kind) {
    case "share weekly": {
      const id = body.pattern?.id ?? "";
      return {
        ...week,
        patterns: { ...patterns, [id]: action },
        slots: shared(slots, hoursOf(action), id),
        logged: event(week, id, "created"),
      };
    }
    case "widen pattern": {
      const before = patterns[action.pattern];
      if (!before) return undefined;
      const after = { ...before, until: action.until };
      return {
        ...week,
        patterns: { ...patterns, [action.pattern]: after },
        slots: shared(slots, hoursOf(after), action.pattern),
        logged: event(week, action.pattern, "updated"),
      };
    }
    case "delete pattern": {
      if (!patterns[action.pattern]) return undefined;
      const stay = Object.values(slots).filter((it) => it.source === action.pattern && it.claim);
      const claimed = new Set(stay.map(({ claim }) => claim));
      if (body.claimed_availability_ids?.length !== claimed.size) return undefined;
      const onOffer = Object.keys(slots).filter(
        (slot) => slots[slot]?.source === action.pattern && !isKept(week, slot),
      );
      const after = {
        ...week,
        patterns: without(patterns, action.pattern),
        slots: withdrawn(slots, action.pattern),
        logged: event(week, action.pattern, "deleted"),
      };
      return sharedAgain(after, onOffer);
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
      const free = slotsOf(action).filter((slot) => !isKept(week, slot));
      return {
        ...week,
        exceptions: { ...exceptions, [id]: action },
        slots: action.kind === "share" ? shared(slots, free, id) : slots,
      };
    }
    case "delete exception": {
      const exception = exceptions[action.exception];
      if (!exception) return undefined;
      const after = {
        ...week,
        exceptions: without(exceptions, action.exception),
        slots: withdrawn(slots, action.exception),
      };
      if (exception.kind === "keep") {
        return sharedAgain(after, slotsOf(exception), action.exception);
      }
      const onOffer = Object.keys(slots).filter(
        (slot) => slots[slot]?.source === action.exception && isFree(week, slot),
      );
      return sharedAgain(after, onOffer);
    }
    case "claim": {
      const id = body.claim?.id ?? "";
      const starts = slotsOf(action);
      if (!starts.every((slot) => isFree(week, slot))) return undefined;
      return { ...week, claims: { ...claims, [id]: action }, slots: held(slots, starts, id) };
    }
    case "cancel claim":
    case "delete claim": {
      const claim = claims[action.claim];
      // One that was cancelled may still be deleted.
      if (!claim) return action.kind === "delete claim" ? week : undefined;
      return {
        ...week,
        claims: without(claims, action.claim),
        slots: held(slots, slotsOf(claim), ""),
      };
    }
    case "read windows":
      return isDeepStrictEqual(readOf(body), shownOf(week)) ? week : undefined;
  }
}

const held = (slots: Rows<Slot>, starts: readonly string[], claim: string): Rows<Slot> => ({
  ...slots,
  ...Object.fromEntries(starts.map((start) => [start, { source: "", ...slots[start], claim }])),
});

const sorted = <Row>(rows: Rows<Row>): Rows<Row> =>
  Object.fromEntries(Object.entries(rows).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** The same in whatever order it came to be, so that the search knows it again. */
const inOrder = ({ patterns, exceptions, slots, claims, logged }: Week): Week => ({
  patterns: sorted(patterns),
  exceptions: sorted(exceptions),
  slots: sorted(slots),
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

/** Whether the week had a reason for this refusal. Of those about claims, the windows of the moment decide. */
const isRefused = (week: Week, action: Action, code: string): boolean => {
  if (code === "not_found") return isAbsent(week, action);
  return (
    code !== "exceptions_fifty_at_most" || Object.keys(week.exceptions).length >= MOST_EXCEPTIONS
  );
};

/** What the rules say about the plan of one spot. Which windows there are for it is not their matter. */
export const weekModel: Model<Week, Recorded | Ending> = {
  start: { patterns: {}, exceptions: {}, slots: {}, claims: {}, logged: {} },
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
