import { hours } from "../support/building.ts";
import type { Actor } from "./cast.ts";
import type { Step } from "./plan.ts";
import type { Action, Recorded, Span } from "./recorded.ts";
import { byId, claimOf, type ShownWindow, windowOf } from "./shown.ts";
import type { ClaimState } from "./spot-state.ts";

/** What all clients together know, from their answers, of one owner's spot. It may be outdated. */
export interface Place {
  readonly owner: string;
  /** The last spot that was there; "" before the first. */
  spot: string;
  /** Whether it was deleted. Then its owner registers another one. */
  isGone: boolean;
  readonly windows: Map<string, ShownWindow>;
  /** Whether the rest of a window stays on offer. */
  readonly keepsRest: boolean;
  readonly claims: Map<string, ClaimState>;
}

export const placeOf = ({ id }: Actor, keepsRest: boolean): Place => ({
  owner: id,
  spot: "",
  isGone: true,
  keepsRest,
  windows: new Map(),
  claims: new Map(),
});

/** What a step of the plan comes to, as far as the place is known; a look at it if there is nothing to act on. */
export function actionOf(
  step: Step,
  { id, isAdministrator }: Actor,
  place: Place,
  suspects: readonly string[],
): Action {
  const { kind, row, isMistaken, number } = step;
  const { spot } = place;
  if (kind === "approve") {
    const resident = suspects[row % suspects.length] ?? id;
    // Most suspensions are short: people should act.
    return { kind, resident, isApproved: step.from > 1 };
  }
  if (place.isGone && place.owner === id) {
    return { kind: "register spot", spotNumber: `H-${number}` };
  }

  const [window, windowSpan] = nth(place.windows, row) ?? [];
  const isMeant = ([, { claimer }]: readonly [string, ClaimState]) =>
    isAdministrator || (claimer === id) !== isMistaken;
  const [claim, claimSpan] = nth(new Map([...place.claims].filter(isMeant)), row) ?? [];

  switch (kind) {
    case "publish window":
      return { kind, spot, ...slotOf(step) };
    case "move window":
      if (!windowSpan || !window) break;
      return { kind, spot, window, ...(isMistaken ? slotOf(step) : shrunk(windowSpan, number)) };
    case "delete window":
      if (!window) break;
      return { kind, spot, window };
    case "claim":
      if (place.keepsRest) return partOf(place, step);
      if (!windowSpan || !window) break;
      return { kind, spot, window, ...inside(windowSpan, step) };
    case "close claim":
      if (!claim) break;
      return {
        kind,
        spot,
        claim,
        status: isAdministrator || row % 4 > 0 ? "cancelled" : "completed",
      };
    case "move claim":
      if (!claimSpan || !claim) break;
      return {
        kind,
        spot,
        claim,
        ...(place.keepsRest
          ? moved(claimSpan, step)
          : inside(place.windows.get(claimSpan.window) ?? claimSpan, step)),
      };
    case "delete claim":
      if (!claim) break;
      return { kind, spot, claim };
    case "delete spot":
    case "read windows":
    case "read claims":
      return { kind, spot };
  }
  // There is nothing to act on.
  return place.owner === id
    ? { kind: "publish window", spot, ...slotOf(step) }
    : { kind: "read windows", spot };
}

/** The row with this number, counted round and round. */
const nth = <Row>(rows: ReadonlyMap<string, Row>, number: number) =>
  [...rows][number % Math.max(rows.size, 1)];

const HOUR = 3_600_000;
const MINUTE = 60_000;

/** Every span has milliseconds of its own, so that the answers show which operation wrote it. */
const spanOf = (start: number, end: number, number: number): Span => ({
  start: new Date(start + number).toISOString(),
  end: new Date(end + number).toISOString(),
});

/** It ends a minute early: windows that follow each other do not overlap by milliseconds. */
const slotOf = ({ from, length, number }: Step): Span => {
  const start = Date.parse(hours(24 + 2 * from));
  return spanOf(start, start + length * 2 * HOUR - MINUTE, number);
};

/** From the hour in which the window starts to the hour in which it ends, or an hour less. */
function shrunk({ start, end }: Span, number: number): Span {
  const from = Math.floor(Date.parse(start) / HOUR) * HOUR;
  const to = Math.floor(Date.parse(end) / HOUR) * HOUR;
  return spanOf(from, Math.max(to, from + HOUR) - MINUTE, number);
}

/** Ten minutes or more from each end; with a mistake, three hours too long. */
function inside({ start, end }: Span, { number, from, isMistaken }: Step): Span {
  const first = Math.floor(Date.parse(start) / HOUR) * HOUR + (10 + from) * MINUTE;
  const last = Math.ceil(Date.parse(end) / HOUR) * HOUR - 10 * MINUTE;
  return spanOf(first, isMistaken ? last + 3 * HOUR : last, number);
}

const LONG = 20 * MINUTE;
const lengthOf = ({ start, end }: Span): number => Date.parse(end) - Date.parse(start);

/** A claim of a minute or more of what is long enough; with a mistake, three hours too long. */
function partOf({ spot, windows }: Place, { row, from, number, isMistaken }: Step): Action {
  const free = [...windows].flatMap(([window, shown]) =>
    (shown.free ?? (shown.isClaimed ? [] : [shown])).map((span) => ({ window, span })),
  );
  const long = free.filter(({ span }) => lengthOf(span) >= LONG);
  const { window, span } = long[row % Math.max(long.length, 1)] ?? {};
  if (!window || !span) return { kind: "read windows", spot };
  const tenth = lengthOf(span) / 10;
  const first = Math.ceil((Date.parse(span.start) + from * tenth) / MINUTE) * MINUTE;
  const last = Math.floor((Date.parse(span.end) - (row % 5) * tenth) / MINUTE - 1) * MINUTE;
  return {
    kind: "claim",
    spot,
    window,
    ...spanOf(first, isMistaken ? last + 3 * HOUR : last, number),
  };
}

/** Each end half an hour earlier or later, or as it is. */
function moved({ start, end }: Span, { row, from, number }: Step): Span {
  const minute = (time: string, by: number) =>
    (Math.floor(Date.parse(time) / MINUTE) + 30 * ((by % 3) - 1)) * MINUTE;
  const first = minute(start, from);
  return spanOf(first, Math.max(first + MINUTE, minute(end, row)), number);
}

/** Writes down what an answer shows. */
export function note(place: Place, { action, outcome, person }: Recorded): void {
  if (action.kind === "register spot" && outcome.result === "happened" && person === place.owner) {
    place.spot = outcome.body.spot?.id ?? "";
    place.isGone = false;
    // What an answer about the spot before showed after it was gone.
    place.windows.clear();
    place.claims.clear();
  }
  if (!("spot" in action) || action.spot !== place.spot || outcome.result === "unknown") return;

  if (outcome.result === "happened") {
    const { availability, availabilities, claim, claims } = outcome.body;
    if (availabilities) place.windows.clear();
    for (const [id, row] of Object.entries(byId(availabilities ?? [availability], windowOf))) {
      place.windows.set(id, row);
    }
    for (const [id, row] of Object.entries(byId(claims ?? [claim], claimOf))) {
      place.claims.set(id, row);
    }
  }
  if (isGone(action, outcome)) forget(place, action);
}

const ABSENT = ["not_found", "claims_of_an_availability", "availabilities_of_a_spot"];

/** Whether what the action is about is not there any more. */
const isGone = ({ kind }: Action, outcome: Recorded["outcome"]): boolean =>
  outcome.result === "refused" ? ABSENT.includes(outcome.code) : kind.startsWith("delete");

function forget(place: Place, action: Action): void {
  if ("claim" in action) place.claims.delete(action.claim);
  else if ("window" in action) place.windows.delete(action.window);
  else {
    place.isGone = true;
    place.windows.clear();
    place.claims.clear();
  }
}
