import { afterEach, describe, expect, it } from "@jest/globals";
import { withClient } from "../../../src/database/client.ts";
import { expectConsistency } from "../../concurrency/consistency.ts";
import { type DuelRow, describeDuels, type Move } from "../../concurrency/duel.ts";
import {
  atOnce,
  connectionsFor,
  outcomeOf,
  outcomeOfSql,
  type Rival,
  several,
  tally,
} from "../../concurrency/rivals.ts";
import { keepRest } from "../../rules/rest.ts";
import { useArena } from "../../support/arena.ts";
import {
  type Claim,
  claimOf,
  hours,
  type Spot,
  spotOf,
  type Window,
  windowOf,
} from "../../support/building.ts";
import { except } from "../../support/exceptions.ts";
import { shownOf, timesOn } from "../../support/free-time.ts";
import {
  dayAfter,
  type Pattern,
  patternOf,
  setPatternDays,
  setZone,
  threeDays,
  windowsOf,
} from "../../support/patterns.ts";
import type { Person } from "../../support/person.ts";

const NO_WINDOW = "404 Availability not found";

const building = useArena(connectionsFor(20));
const owner = building.shared("resident");
const claimer = building.shared("resident");
const other = building.shared("resident");
afterEach(async () => {
  await expectConsistency(building);
  expect(await building.rows("table private.count_drifts")).toEqual([]);
  await keepRest(building, false);
  await building.rows("delete from parking.exceptions"); // of which a person may have fifty
});

/** One thing that somebody does, as a move of a duel. */
const does =
  (person: () => Person, operation: string) =>
  (values: Move["values"]): Move => ({ person: person(), operation, values });
const byOwner = (operation: string) => does(() => owner, operation);
const [changePattern, endPattern] = [byOwner("update_pattern"), byOwner("delete_pattern")];
const [makeException, endException] = [byOwner("create_exception"), byOwner("delete_exception")];
const deleteSpot = ({ id }: Spot) => byOwner("delete_spot")({ id });
const claims = ({ id }: Window, from: string, to: string, who = claimer) =>
  does(() => who, "create_claim")({ availability_id: id, start_time: from, end_time: to });
const all = (window: Window) => claims(window, window.start_time, window.end_time);
const cancels = ({ id, claimer_id }: Claim) =>
  does(
    () => (claimer_id === other.id ? other : claimer),
    "update_claim",
  )({ id, status: "cancelled" });
const deletes = ({ id }: Claim) => does(() => claimer, "delete_claim")({ id });

interface Week {
  readonly spot: Spot;
  readonly pattern: Pattern;
  readonly window: Window;
}
/** A pattern with one window. */
async function week(): Promise<Week> {
  const spot = await spotOf(owner);
  const pattern = await patternOf(owner, { ...threeDays(spot), last_day: dayAfter(3) });
  return { spot, pattern, window: (await windowsOf(owner, spot))[0] as Window };
}
/** A window from hour 5 to 30. */
async function scene() {
  const spot = await spotOf(owner);
  const window = await windowOf(owner, spot, 5, 30);
  const at = (from: number, to: number) => [hours(from), hours(to)] as const;
  return {
    spot,
    window,
    keep: (from = 10, to = 20, kind = "keep") =>
      makeException({ kind, spot_id: spot.id, start_time: hours(from), end_time: hours(to) }),
    claim: (from: number, to: number, who = claimer) => claims(window, ...at(from, to), who),
    held: (from: number, to: number, who = claimer) =>
      claimOf(who, { ...window, start_time: hours(from), end_time: hours(to) }),
  };
}

type Moves = () => Promise<readonly [Move, Move]>;
const ofWeek =
  (make: (week: Week) => readonly [Move, Move]): Moves =>
  async () =>
    make(await week());
const ofScene =
  (make: (all: Awaited<ReturnType<typeof scene>>) => Promise<readonly [Move, Move]>): Moves =>
  async () =>
    make(await scene());
const longer = ({ pattern: { id } }: Week) => changePattern({ id, ends_at: "17:00" });
const end = ({ pattern: { id } }: Week) => endPattern({ id });
/** The claimer of a pattern's window gives it back, after its owner has kept the time. */
const ofKept =
  (change: (week: Week) => Move): Moves =>
  async () => {
    const made = await week();
    const claim = await claimOf(claimer, made.window);
    const day = timesOn(3, "00:00", "00:00", 1);
    await owner.post("/exceptions", { kind: "keep", spot_id: made.spot.id, ...day }, 201);
    return [change(made), cancels(claim)];
  };

const ofPlans: readonly DuelRow[] = [
  [
    "a pattern deleted, its window claimed",
    "200 201, 200 absent",
    ofWeek((it) => [end(it), all(it.window)]),
  ],
  [
    "a pattern changed, its window claimed",
    "200 201, 200 absent",
    ofWeek((it) => [longer(it), all(it.window)]),
  ],
  ["a pattern changed twice", "200 200, 200 200", ofWeek((it) => [longer(it), longer(it)])],
  ["a pattern changed and deleted", "200 200, ended 200", ofWeek((it) => [longer(it), end(it)])],
  [
    "a pattern changed, its spot deleted",
    "200 200, ended 200",
    ofWeek((it) => [longer(it), deleteSpot(it.spot)]),
  ],
  [
    "a pattern changed, its window withdrawn by hand",
    "200 200, 200 absent",
    ofWeek((it) => [longer(it), byOwner("delete_availability")({ id: it.window.id })]),
  ],
  ["a pattern deleted, a claim of its kept window cancelled", "200 200, 200 200", ofKept(end)],
  ["a pattern changed, a claim of its kept window cancelled", "200 200, 200 200", ofKept(longer)],
  [
    "a time kept and claimed",
    "201 201, 201 kept",
    ofScene(async (it) => [it.keep(), it.claim(12, 14)]),
  ],
  [
    "a time kept, and one beside it claimed",
    "201 201, 201 201",
    ofScene(async (it) => [it.keep(), it.claim(21, 22)]),
  ],
  [
    "a time kept, its claim cancelled",
    "201 200, 201 200",
    ofScene(async (it) => [it.keep(), cancels(await it.held(5, 30))]),
  ],
  [
    "a time kept, its claim deleted",
    "201 200, 201 200",
    ofScene(async (it) => [it.keep(), deletes(await it.held(5, 30))]),
  ],
  ["two times kept", "201 201, 201 201", ofScene(async (it) => [it.keep(8, 15), it.keep(12, 20)])],
  [
    "a time kept, its spot deleted",
    "201 200, gone 200",
    ofScene(async (it) => [it.keep(), deleteSpot(it.spot)]),
  ],
  [
    "a day kept that a pattern begins to share",
    "201 200, 201 200",
    ofWeek(({ spot, pattern: { id } }) => [
      makeException({ kind: "keep", spot_id: spot.id, ...timesOn(4, "00:00", "00:00", 1) }),
      changePattern({ id, last_day: dayAfter(5) }),
    ]),
  ],
  [
    "all of a time shared, and a window published in it",
    "201 201, 201 overlaps",
    ofScene(async (it) => [
      it.keep(30, 40, "share"),
      byOwner("create_availability")({
        spot_id: it.spot.id,
        start_time: hours(32),
        end_time: hours(34),
      }),
    ]),
  ],
  [
    "an absence ended, its window claimed",
    "200 201, 200 absent",
    async () => {
      const spot = await spotOf(owner);
      const { exception } = await except(owner, "share", spot, 10, 20);
      const [window] = await shownOf(claimer, spot);
      return [endException({ id: exception.id }), all(window as Window)];
    },
  ],
];
const moves = (claim: Claim, values: Move["values"], who = claimer) =>
  does(() => who, "update_claim")({ id: claim.id, ...values });
const ofRests: readonly DuelRow[] = [
  [
    "two parts of one window claimed",
    "201 201, 201 201",
    ofScene(async (it) => [it.claim(6, 8), it.claim(8, 11, other)]),
  ],
  [
    "the same time claimed",
    "201 201, taken taken",
    ofScene(async (it) => [it.claim(6, 9), it.claim(8, 11, other)]),
  ],
  [
    "two claims side by side cancelled",
    "200 200, 200 200",
    ofScene(async (it) => [cancels(await it.held(6, 9)), cancels(await it.held(9, 11, other))]),
  ],
  [
    "a claim deleted, the rest beside it claimed",
    "200 201, 200 201",
    ofScene(async (it) => [deletes(await it.held(6, 9)), it.claim(10, 13, other)]),
  ],
  [
    "two claims moved into the rest between them",
    "200 200, taken taken",
    ofScene(async (it) => [
      moves(await it.held(6, 8), { end_time: hours(10) }),
      moves(await it.held(10, 12, other), { start_time: hours(9) }, other),
    ]),
  ],
  [
    "a window moved, its last claim cancelled",
    "claimed 200, 200 200",
    ofScene(async ({ window, held }) => [
      byOwner("update_availability")({ id: window.id, end_time: hours(29) }),
      cancels(await held(5, 9)),
    ]),
  ],
];
const refusals = {
  taken: "400 This availability has already been claimed",
  claimed: "400 Cannot update a claimed availability",
  ended: "404 Pattern not found",
  gone: "404 Parking spot not found",
  absent: NO_WINDOW,
  kept: "409 The owner does not offer this time any more",
  overlaps: "409 Availability overlaps an existing availability of this spot",
};
describeDuels(() => building, refusals, ofPlans);
describe("where the rest stays on offer", () => {
  const withRest =
    (make: Moves): Moves =>
    async () => {
      await keepRest(building);
      return make();
    };
  const rows = ofRests.map(([name, ends, make]) => [name, ends, withRest(make)] as const);
  describeDuels(() => building, refusals, rows);
});

describe("the job, run by several at one moment", () => {
  /** One run of the job. */
  const run: Rival = () =>
    outcomeOfSql(
      withClient(building.database.url("parking_api"), async (client) => {
        const { rows } = await client.query("select * from private.due_patterns()");
        for (const { id, owner_id } of rows)
          await client.query("select private.extend_pattern($1, $2)", [id, owner_id]);
      }),
    );

  it("publishes each day once, beside owners and claimers", async () => {
    for (let round = 0; round < 5; round++) {
      await setPatternDays(building, 5);
      const owners = [owner, owner, claimer] as const;
      const spots = await several(3, (i) => spotOf(owners[i] ?? owner));
      const patterns = await several(3, (i) => {
        const days = { first_day: dayAfter(2), last_day: null };
        return patternOf(owners[i] ?? owner, { ...threeDays(spots[i] as Spot), ...days });
      });
      const window = (await windowsOf(owner, spots[0] as Spot))[0] as Window;
      await setPatternDays(building, 20);
      await setZone(building, round % 2 === 0 ? "Europe/Berlin" : "UTC");
      const outcomes = await atOnce(building, [
        ...[run, run, run, run],
        () => outcomeOf(owner.put(`/patterns/${patterns[0]?.id}`, { ends_at: "17:00" })),
        () => outcomeOf(owner.put(`/patterns/${patterns[1]?.id}`, { starts_at: "09:00" })),
        () => outcomeOf(claimer.post("/claims", all(window).values)),
      ]);
      expect(tally(outcomes.slice(0, 6))).toEqual({ done: 4, 200: 2 });
      expect(["201", NO_WINDOW]).toContain(outcomes[6]);
      expect(await building.rows("select * from private.due_patterns()")).toEqual([]);
      for (const spot of spots) expect((await windowsOf(owner, spot)).length).toBeGreaterThan(15);
    }
    await setPatternDays(building, 28);
    await setZone(building, "UTC");
  });
});
