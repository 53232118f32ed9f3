import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { withClient } from "../../../src/database/client.ts";
import { expectConsistency } from "../../concurrency/consistency.ts";
import { describeDuel, type Move } from "../../concurrency/duel.ts";
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

const NO_PATTERN = "404 Pattern not found";
const NO_WINDOW = "404 Availability not found";
const NOT_OFFERED = "409 The owner does not offer this time any more";
const OVERLAPS = "409 Availability overlaps an existing availability of this spot";
const TAKEN = "400 This availability has already been claimed";

const building = useArena(connectionsFor(20));
let owner: Person;
let claimer: Person;
let other: Person;
beforeAll(async () => {
  [owner, claimer] = [await building.resident(), await building.resident()];
  other = await building.resident();
});
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

type Both = readonly [string, string];
type Moves = () => Promise<readonly [Move, Move]>;
type Duels = readonly (readonly [name: string, moves: Moves, first: Both, after: Both])[];
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
/** Who has claimed the window of a pattern gives it back, after its owner has kept the time. */
const ofKept =
  (change: (week: Week) => Move): Moves =>
  async () => {
    const made = await week();
    const claim = await claimOf(claimer, made.window);
    const day = timesOn(3, "00:00", "00:00", 1);
    await owner.post("/exceptions", { kind: "keep", spot_id: made.spot.id, ...day }, 201);
    return [change(made), cancels(claim)];
  };

const ofPlans: Duels = [
  [
    "a pattern deleted, its window claimed",
    ofWeek((it) => [end(it), all(it.window)]),
    ["200", "201"],
    ["200", NO_WINDOW],
  ],
  [
    "a pattern changed, its window claimed",
    ofWeek((it) => [longer(it), all(it.window)]),
    ["200", "201"],
    ["200", NO_WINDOW],
  ],
  [
    "a pattern changed twice",
    ofWeek((it) => [longer(it), longer(it)]),
    ["200", "200"],
    ["200", "200"],
  ],
  [
    "a pattern changed and deleted",
    ofWeek((it) => [longer(it), end(it)]),
    ["200", "200"],
    [NO_PATTERN, "200"],
  ],
  [
    "a pattern changed, its spot deleted",
    ofWeek((it) => [longer(it), deleteSpot(it.spot)]),
    ["200", "200"],
    [NO_PATTERN, "200"],
  ],
  [
    "a pattern changed, its window withdrawn by hand",
    ofWeek((it) => [longer(it), byOwner("delete_availability")({ id: it.window.id })]),
    ["200", "200"],
    ["200", NO_WINDOW],
  ],
  [
    "a pattern deleted, a claim of its kept window cancelled",
    ofKept(end),
    ["200", "200"],
    ["200", "200"],
  ],
  [
    "a pattern changed, a claim of its kept window cancelled",
    ofKept(longer),
    ["200", "200"],
    ["200", "200"],
  ],
  [
    "a time kept and claimed",
    ofScene(async (it) => [it.keep(), it.claim(12, 14)]),
    ["201", "201"],
    ["201", NOT_OFFERED],
  ],
  [
    "a time kept, and one beside it claimed",
    ofScene(async (it) => [it.keep(), it.claim(21, 22)]),
    ["201", "201"],
    ["201", "201"],
  ],
  [
    "a time kept, its claim cancelled",
    ofScene(async (it) => [it.keep(), cancels(await it.held(5, 30))]),
    ["201", "200"],
    ["201", "200"],
  ],
  [
    "a time kept, its claim deleted",
    ofScene(async (it) => [it.keep(), deletes(await it.held(5, 30))]),
    ["201", "200"],
    ["201", "200"],
  ],
  [
    "two times kept",
    ofScene(async (it) => [it.keep(8, 15), it.keep(12, 20)]),
    ["201", "201"],
    ["201", "201"],
  ],
  [
    "a time kept, its spot deleted",
    ofScene(async (it) => [it.keep(), deleteSpot(it.spot)]),
    ["201", "200"],
    ["404 Parking spot not found", "200"],
  ],
  [
    "a day kept that a pattern begins to share",
    ofWeek(({ spot, pattern: { id } }) => [
      makeException({ kind: "keep", spot_id: spot.id, ...timesOn(4, "00:00", "00:00", 1) }),
      changePattern({ id, last_day: dayAfter(5) }),
    ]),
    ["201", "200"],
    ["201", "200"],
  ],
  [
    "all of a time shared, and a window published in it",
    ofScene(async (it) => [
      it.keep(30, 40, "share"),
      byOwner("create_availability")({
        spot_id: it.spot.id,
        start_time: hours(32),
        end_time: hours(34),
      }),
    ]),
    ["201", "201"],
    ["201", OVERLAPS],
  ],
  [
    "an absence ended, its window claimed",
    async () => {
      const spot = await spotOf(owner);
      const { exception } = await except(owner, "share", spot, 10, 20);
      const [window] = await shownOf(claimer, spot);
      return [endException({ id: exception.id }), all(window as Window)];
    },
    ["200", "201"],
    ["200", NO_WINDOW],
  ],
];
const moves = (claim: Claim, values: Move["values"], who = claimer) =>
  does(() => who, "update_claim")({ id: claim.id, ...values });
const ofRests: Duels = [
  [
    "two parts of one window claimed",
    ofScene(async (it) => [it.claim(6, 8), it.claim(8, 11, other)]),
    ["201", "201"],
    ["201", "201"],
  ],
  [
    "the same time claimed",
    ofScene(async (it) => [it.claim(6, 9), it.claim(8, 11, other)]),
    ["201", "201"],
    [TAKEN, TAKEN],
  ],
  [
    "two claims side by side cancelled",
    ofScene(async (it) => [cancels(await it.held(6, 9)), cancels(await it.held(9, 11, other))]),
    ["200", "200"],
    ["200", "200"],
  ],
  [
    "a claim deleted, the rest beside it claimed",
    ofScene(async (it) => [deletes(await it.held(6, 9)), it.claim(10, 13, other)]),
    ["200", "201"],
    ["200", "201"],
  ],
  [
    "two claims moved into the rest between them",
    ofScene(async (it) => [
      moves(await it.held(6, 8), { end_time: hours(10) }),
      moves(await it.held(10, 12, other), { start_time: hours(9) }, other),
    ]),
    ["200", "200"],
    [TAKEN, TAKEN],
  ],
  [
    "a window moved, its last claim cancelled",
    ofScene(async ({ window, held }) => [
      byOwner("update_availability")({ id: window.id, end_time: hours(29) }),
      cancels(await held(5, 9)),
    ]),
    ["400 Cannot update a claimed availability", "200"],
    ["200", "200"],
  ],
];
const names: Both = ["the one", "the other"];
for (const [name, make, first, after] of ofPlans)
  describeDuel(name, () => building, { names, moves: make, first, after });
for (const [name, make, first, after] of ofRests) {
  const withRest: Moves = async () => {
    await keepRest(building);
    return make();
  };
  describeDuel(`where the rest stays: ${name}`, () => building, {
    names,
    moves: withRest,
    first,
    after,
  });
}

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

it("fifty exceptions and no more, however many are made at one moment", async () => {
  const person = await building.resident();
  await building.rows(
    `insert into parking.exceptions (owner_id, start_time, end_time, kind)
     select $1, now(), now() + interval '1 day', 'keep' from generate_series(1, 48)`,
    [person.id],
  );
  const spots = await several(8, () => spotOf(person));
  const times = { start_time: hours(10), end_time: hours(20) };
  const outcomes = await atOnce(
    building,
    spots.map(({ id }) => () => {
      const body = { kind: "keep", spot_id: id, ...times };
      return outcomeOf(person.post("/exceptions", body));
    }),
  );
  expect(outcomes.filter((outcome) => outcome === "201")).toHaveLength(2);
});
