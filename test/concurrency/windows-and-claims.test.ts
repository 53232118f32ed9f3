import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { keepRest } from "../rules/rest.ts";
import { useArena } from "../support/arena.ts";
import {
  type Claim,
  claimOf,
  hours,
  type Spot,
  spotOf,
  type Window,
  windowOf,
} from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { random } from "../support/random.ts";
import { claimsOf, setClaims, tryAt } from "../support/sql.ts";
import { expectConsistency } from "./consistency.ts";
import { describeDuels, type Move } from "./duel.ts";
import {
  atOnce,
  connectionsFor,
  outcomeOf,
  outcomeOfSql,
  type Rival,
  several,
  tally,
} from "./rivals.ts";
import { withTransaction } from "./transaction.ts";

/** Rounds of those who write in transactions of their own. */
const LEVEL_ROUNDS = Number(process.env.RIVAL_ROUNDS ?? 5);
const TAKEN = "400 This availability has already been claimed";
const OVERLAPS = "409 Availability overlaps an existing availability of this spot";
const CLOSED = "400 Cannot change status from completed/cancelled";
const KEPT = "400 Cannot delete a completed claim";
const GONE = "404 Claim not found";

const building = useArena(connectionsFor(20));
const owner = building.shared("resident");
let spot: Spot;
let residents: readonly Person[];
let claimer: Person;
let next: Person;
beforeAll(async () => {
  spot = await spotOf(owner);
  residents = await several(20, () => building.resident());
  [claimer, next] = residents as [Person, Person];
});
afterEach(() => expectConsistency(building));

let from = 0;
/** The first of a hundred hours that no other test uses. */
const nextHours = (): number => {
  from += 100;
  return from;
};
const nextWindow = (): Promise<Window> => {
  nextHours();
  return windowOf(owner, spot, from, from + 8);
};
/** Moves by the owner and by people who claim. Times count from the first of the hundred hours. */
const span = (start: number, end: number) => ({
  start_time: hours(from + start),
  end_time: hours(from + end),
});
const publish = (start: number, end: number): Move => ({
  person: owner,
  operation: "create_availability",
  values: { spot_id: spot.id, ...span(start, end) },
});
const moveWindow = ({ id }: Window, times: Move["values"]): Move => ({
  person: owner,
  operation: "update_availability",
  values: { id, ...times },
});
const deleteWindow = ({ id }: Window): Move => ({
  person: owner,
  operation: "delete_availability",
  values: { id },
});
const claim = ({ id, start_time, end_time }: Window, person = next): Move => ({
  person,
  operation: "create_claim",
  values: { availability_id: id, start_time, end_time },
});
const change =
  (values: Move["values"]) =>
  ({ id }: Claim): Move => ({
    person: claimer,
    operation: "update_claim",
    values: { id, ...values },
  });
const complete = change({ status: "completed" });
const cancel = change({ status: "cancelled" });
const shorten = (existing: Claim) => change({ end_time: hours(from + 7) })(existing);
const remove = ({ id }: Claim): Move => ({
  person: claimer,
  operation: "delete_claim",
  values: { id },
});

type Ending = (existing: Claim, window: Window) => Move;
/** Two moves about a window that is claimed. */
const ofClaimed = (one: Ending, other: Ending) => async () => {
  const window = await nextWindow();
  const existing = await claimOf(claimer, window);
  return [one(existing, window), other(existing, window)] as const;
};
/** A move of the owner, and a claim of the window as it was. */
const ofFree = (move: (window: Window) => Move) => async () => {
  const window = await nextWindow();
  return [move(window), claim(window)] as const;
};
const claimNext: Ending = (_, window) => claim(window);
const ofHours = (moves: () => readonly [Move, Move]) => async () => {
  nextHours();
  return moves();
};
/** Moves a window of nine hours that was published in the first hours, or in later ones. */
const moved = async (to: Move["values"], at = 0) =>
  moveWindow(await windowOf(owner, spot, from + at, from + at + 9), to);

const refusals = {
  taken: TAKEN,
  closed: CLOSED,
  gone: GONE,
  kept: KEPT,
  overlaps: OVERLAPS,
  outside: "400 Claim times must be within the availability window",
  unchanged: "400 Cannot update a claimed availability",
  stays: "400 Cannot delete a claimed availability",
  absent: "404 Availability not found",
};
describeDuels(() => building, refusals, [
  ["two claims of one window", "201 201, taken taken", ofFree((window) => claim(window, claimer))],
  ["completed and cancelled", "200 200, closed closed", ofClaimed(complete, cancel)],
  ["completed and deleted", "200 200, gone kept", ofClaimed(complete, remove)],
  ["cancelled and deleted", "200 200, gone 200", ofClaimed(cancel, remove)],
  ["completed twice", "200 200, closed closed", ofClaimed(complete, complete)],
  ["cancelled twice", "200 200, closed closed", ofClaimed(cancel, cancel)],
  ["deleted twice", "200 200, gone gone", ofClaimed(remove, remove)],
  ["shortened and completed", "200 200, closed 200", ofClaimed(shorten, complete)],
  ["shortened and cancelled", "200 200, closed 200", ofClaimed(shorten, cancel)],
  ["cancelled, its window claimed", "200 taken, 200 201", ofClaimed(cancel, claimNext)],
  ["deleted, its window claimed", "200 taken, 200 201", ofClaimed(remove, claimNext)],
  [
    "a window shortened and claimed",
    "200 201, unchanged outside",
    ofFree((window) => moveWindow(window, { end_time: hours(from + 7) })),
  ],
  [
    "a window moved away and claimed",
    "200 201, unchanged outside",
    ofFree((window) => moveWindow(window, span(20, 28))),
  ],
  [
    "a window lengthened and claimed",
    "200 201, unchanged 201",
    ofFree((window) => moveWindow(window, { end_time: hours(from + 9) })),
  ],
  ["a window deleted and claimed", "200 201, stays absent", ofFree(deleteWindow)],
  [
    "two windows for the same hours",
    "201 201, overlaps overlaps",
    ofHours(() => [publish(0, 5), publish(4, 9)]),
  ],
  // In parallel they could deadlock: each would wait for the row that the other has just written.
  [
    "two windows of a spot, side by side",
    "201 201, 201 201",
    ofHours(() => [publish(0, 5), publish(5, 9)]),
  ],
  [
    "two windows moved to the same hours",
    "200 200, overlaps overlaps",
    async () => {
      nextHours();
      return [await moved(span(50, 59)), await moved(span(50, 59), 20)];
    },
  ],
  [
    "a window moved to the hours of a new one",
    "200 201, overlaps overlaps",
    async () => {
      nextHours();
      return [await moved(span(50, 59)), publish(50, 51)];
    },
  ],
  [
    "a cancelled claim deleted, its window claimed",
    "200 201, 200 201",
    async () => {
      const window = await nextWindow();
      const existing = await claimOf(claimer, window);
      await claimer.put(`/claims/${existing.id}`, { status: "cancelled" }, 200);
      return [remove(existing), claim(window)];
    },
    false,
  ],
]);

const LEVELS = ["read committed", "repeatable read", "serializable"] as const;
const atLevel =
  (level: string, person: Person, text: string, values: readonly unknown[]): Rival =>
  () =>
    outcomeOfSql(
      tryAt(building.database.url("parking_api"), async (client) => {
        await client.query(`set transaction isolation level ${level}`);
        await setClaims(client, claimsOf(person));
        await client.query(text, [...values]);
        await client.query("commit");
      }),
    );

describe.each([
  ["all of a window", false],
  ["a part of a window, where the rest stays on offer", true],
])("rivals of every isolation level for %s", (_what, keepsRest) => {
  afterEach(() => keepRest(building, false));

  it(
    `take each moment once, also while another cancels, in ${LEVEL_ROUNDS} rounds`,
    async () => {
      await keepRest(building, keepsRest);
      const chance = random(LEVEL_ROUNDS);
      for (let round = 0; round < LEVEL_ROUNDS; round++) {
        const window = await nextWindow();
        const existing = await claimOf(claimer, { ...window, ...span(0, 2) });
        const rivals = residents.slice(1, 7).map((rival): Rival => {
          const start = chance.below(7);
          const times = span(start, start + 1 + chance.below(2));
          const values = [window.id, times.start_time, times.end_time];
          const sql = "select api.create_claim($1, $2, $3)";
          return atLevel(chance.pick(LEVELS), rival, sql, values);
        });
        const sql = "update parking.claims set status = 'cancelled' where id = $1";
        const ending = atLevel(chance.pick(LEVELS), claimer, sql, [existing.id]);
        // Every other time the window is free before, and the first of them has it.
        const isFree = round % 2 === 0;
        if (isFree) expect(await ending()).toBe("done");
        const outcomes = await atOnce(building, isFree ? rivals : [...rivals, ending]);

        const known = ["done", "claims_one_per_availability", "40001"];
        expect(outcomes.filter((it) => !known.includes(it))).toEqual([]);
        const { done = 0 } = tally(outcomes.slice(0, rivals.length));
        if (isFree) expect(done).toBeGreaterThan(0);
        const [taken] = await building.rows(
          `select count(*)::integer as claims, sum(upper(takes) - lower(takes)) as taken,
                (select sum(upper(t) - lower(t)) from unnest(range_agg(takes)) t) as covered
           from parking.claims where holds = $1 and id <> $2`,
          [window.id, existing.id],
        );
        const covered = taken?.covered;
        expect(taken).toEqual({ claims: done, taken: covered, covered });
      }
    },
    60_000 + LEVEL_ROUNDS * 1_000,
  );
});

it("windows of two spots do not wait for each other", async () => {
  nextHours();
  const other = await spotOf(owner);
  await withTransaction(building, owner, async (transaction) => {
    await transaction.call("create_availability", publish(0, 5).values);
    const body = { ...publish(0, 5).values, spot_id: other.id };
    expect(await outcomeOf(owner.post("/availabilities", body))).toBe("201");
    await transaction.end("commit");
  });
});
