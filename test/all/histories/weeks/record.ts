import type { Outcome, Span } from "../../../histories/recorded.ts";
import { steadyTarget } from "../../../histories/target.ts";
import type { Arena } from "../../../support/arena.ts";
import { type Spot, spotOf } from "../../../support/building.ts";
import { freeOf } from "../../../support/free-time.ts";
import type { Person } from "../../../support/person.ts";
import { type Random, random } from "../../../support/random.ts";
import {
  type Action,
  at,
  DAYS,
  FIRST_HOUR,
  LAST_HOUR,
  type Recorded,
  requestOf,
} from "./actions.ts";

/** What all clients together know of a spot. It may be outdated. */
interface Board {
  readonly spot: Spot;
  readonly owner: Person;
  readonly patterns: Map<string, number>;
  readonly exceptions: Set<string>;
  /** The free spans, each with its window. */
  readonly free: (Span & { readonly window: string })[];
  readonly claims: Map<string, string>;
  /** How many patterns there have been. */
  patternsMade: number;
}

export interface WeekHistory {
  readonly spot: Spot;
  readonly operations: readonly Recorded[];
}

export interface Size {
  readonly claimers: number;
  readonly stepsOfEach: number;
}

const FIRST_DAY = 3;

/** An owner, from two devices at once, and others, of whom each does one thing after the other. */
export async function recordWeek(arena: Arena, seed: number, size: Size): Promise<WeekHistory> {
  const target = steadyTarget(arena);
  const owner = await arena.resident();
  const board: Board = {
    spot: await spotOf(owner),
    owner,
    patterns: new Map(),
    exceptions: new Set(),
    free: [],
    claims: new Map(),
    patternsMade: 0,
  };
  const claimers = await Promise.all(Array.from({ length: size.claimers }, () => arena.resident()));
  const operations: Recorded[] = [];
  let clock = 0;
  const perform = async (person: Person, action: Action): Promise<void> => {
    const sent = ++clock;
    const reply = await target.ask(person, requestOf(action, board.spot.id));
    const { status, body, code } = reply;
    const why = code ?? String(status);
    const outcome: Outcome =
      status < 300
        ? { result: "happened", body }
        : { result: status < 500 ? "refused" : "unknown", code: why, why };
    const operation = { person: person.id, sent, answered: ++clock, action, outcome };
    operations.push(operation);
    note(board, operation);
  };
  const act = async (person: Person, chance: Random, choose: Choice) => {
    for (let step = 0; step < size.stepsOfEach; step++) {
      await perform(person, choose(chance, board, person));
    }
  };
  await perform(owner, newPattern(board, LAST_HOUR));
  await Promise.all([
    act(owner, random(seed), actionOfOwner),
    act(owner, random(seed + 1000), actionOnOtherDevice),
    ...claimers.map((person, i) => act(person, random(seed + 2000 + i), actionOfClaimer)),
  ]);
  return { spot: board.spot, operations };
}

type Choice = (chance: Random, board: Board, person: Person) => Action;

const READ: Action = { kind: "read windows" };
const pickFrom = <T>(chance: Random, all: Iterable<T>): T | undefined => {
  const items = [...all];
  return items.length > 0 ? chance.pick(items) : undefined;
};

function newPattern(board: Board, until: number): Action {
  const first = FIRST_DAY + DAYS * board.patternsMade;
  board.patternsMade += 1;
  return { kind: "share weekly", first, until };
}

function actionOfOwner(chance: Random, board: Board): Action {
  switch (chance.below(8)) {
    case 0:
    case 1:
      return newPattern(board, FIRST_HOUR + 2 * (1 + chance.below(5)));
    case 2: {
      // From one device only, so that hours are never shortened.
      const [pattern, until] = pickFrom(chance, board.patterns) ?? [];
      if (!(pattern && until) || until >= LAST_HOUR) return READ;
      return { kind: "widen pattern", pattern, until: until + 2 };
    }
    default:
      return actionOnOtherDevice(chance, board);
  }
}

function actionOnOtherDevice(chance: Random, board: Board): Action {
  const { patterns, exceptions, patternsMade } = board;
  const day = FIRST_DAY + chance.below(DAYS * (patternsMade + 1)); // the next pattern's too
  const exception = pickFrom(chance, exceptions);
  const choice = chance.below(10);
  if (choice === 0) {
    const pattern = pickFrom(chance, patterns.keys());
    if (pattern) return { kind: "delete pattern", pattern };
  }
  if (choice < 4 && exception) return { kind: "delete exception", exception };
  if (choice < 7) {
    const from = FIRST_HOUR + (chance.below(3) && 2 * chance.below(9));
    return { kind: "keep", start: at(day, from), end: at(day, from + 2 * (1 + chance.below(10))) };
  }
  if (choice < 9) {
    const from = LAST_HOUR + 2 * chance.below(2);
    return { kind: "share", start: at(day, from), end: at(day, from + 2 * (1 + chance.below(2))) };
  }
  return READ;
}

function actionOfClaimer(chance: Random, { free, claims }: Board, { id }: Person): Action {
  const choice = chance.below(6);
  const own = [...claims].filter(([, claimer]) => claimer === id).map(([claim]) => claim);
  const claim = pickFrom(chance, own);
  if (choice < 2 && claim) {
    return { kind: choice === 0 ? "cancel claim" : "delete claim", claim };
  }
  const span = pickFrom(chance, free);
  if (choice < 5 && span) {
    const slots = (Date.parse(span.end) - Date.parse(span.start)) / 7_200_000;
    const from = Date.parse(span.start) + 7_200_000 * chance.below(slots);
    const start = new Date(from).toISOString();
    return {
      kind: "claim",
      window: span.window,
      start,
      end: new Date(from + 7_200_000).toISOString(),
    };
  }
  return READ;
}

/** Writes down what an answer shows. */
function note(board: Board, { action, outcome, person }: Recorded): void {
  if (outcome.result === "happened") {
    const { pattern, exception, claim, availabilities } = outcome.body;
    if (pattern) board.patterns.set(pattern.id, Number(pattern.ends_at.slice(0, 2)));
    if (exception) board.exceptions.add(exception.id);
    if (claim?.status === "active") board.claims.set(claim.id, person);
    if (availabilities) {
      const spans = availabilities.flatMap((window) =>
        freeOf(window).map(({ start_time: start, end_time: end }) => ({
          window: window.id,
          start,
          end,
        })),
      );
      board.free.splice(0, board.free.length, ...spans);
    }
  }
  if (action.kind === "delete pattern") board.patterns.delete(action.pattern);
  if (action.kind === "delete exception") board.exceptions.delete(action.exception);
  if ("claim" in action) board.claims.delete(action.claim);
}
