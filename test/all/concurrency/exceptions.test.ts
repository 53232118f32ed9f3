import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { expectConsistency } from "../../concurrency/consistency.ts";
import { describeDuel, type Move } from "../../concurrency/duel.ts";
import { atOnce, connectionsFor, outcomeOf, several } from "../../concurrency/rivals.ts";
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
import { except, undo } from "../../support/exceptions.ts";
import { dayAfter, patternOf, threeDays } from "../../support/patterns.ts";
import type { Person } from "../../support/person.ts";
import { random } from "../../support/random.ts";

const RIVALS = 8;
const ROUNDS = Number(process.env.RIVAL_ROUNDS ?? 5);
const GONE = "404 Availability not found";

const building = useArena(connectionsFor(RIVALS));
let owner: Person;
let claimer: Person;
beforeEach(async () => {
  owner = await building.resident();
  claimer = await building.resident();
});
afterEach(async () => {
  await expectConsistency(building);
  expect(await building.rows("table private.count_drifts")).toEqual([]);
});

/** A spot with a window from hour 5 to 30. */
async function scene(): Promise<{ readonly spot: Spot; readonly window: Window }> {
  const spot = await spotOf(owner);
  return { spot, window: await windowOf(owner, spot, 5, 30) };
}
const exception = (kind: string, { id }: Spot, from = 10, to = 20): Move => ({
  person: owner,
  operation: "create_exception",
  values: { kind, spot_id: id, start_time: hours(from), end_time: hours(to) },
});
const claim = ({ id }: Window, from = 12, to = 14): Move => ({
  person: claimer,
  operation: "create_claim",
  values: { availability_id: id, start_time: hours(from), end_time: hours(to) },
});

describeDuel("a window claimed while its owner needs the spot", () => building, {
  names: ["the owner", "the claim"],
  moves: async () => {
    const { spot, window } = await scene();
    return [exception("keep", spot), claim(window)];
  },
  first: ["201", "201"],
  after: ["201", "409 The owner does not offer this time any more"],
});

describeDuel("a window claimed beside the time that its owner needs", () => building, {
  names: ["the owner", "the claim"],
  moves: async () => {
    const { spot, window } = await scene();
    return [exception("keep", spot), claim(window, 21, 22)];
  },
  first: ["201", "201"],
  after: ["201", "201"],
});

describe.each(["update_claim", "delete_claim"])("%s", (operation) => {
  describeDuel("a claim that ends while the owner needs the spot", () => building, {
    names: ["the owner", "the claimer"],
    moves: async () => {
      const { spot, window } = await scene();
      const { id } = await claimOf(claimer, window);
      const values: Move["values"] =
        operation === "update_claim" ? { id, status: "cancelled" } : { id };
      return [exception("keep", spot), { person: claimer, operation, values }];
    },
    first: ["201", "200"],
    after: ["201", "200"],
  });
});

describeDuel("two exceptions of one spot", () => building, {
  names: ["the first", "the second"],
  moves: async () => {
    const { spot } = await scene();
    return [exception("keep", spot, 8, 15), exception("keep", spot, 12, 20)];
  },
  first: ["201", "201"],
  after: ["201", "201"],
});

describeDuel("a pattern of more days while its owner needs the spot on them", () => building, {
  names: ["the exception", "the pattern"],
  moves: async () => {
    const spot = await spotOf(owner);
    const { id } = await patternOf(owner, { ...threeDays(spot), last_day: dayAfter(3) });
    const values = { id, last_day: dayAfter(5) };
    const day = { start_time: `${dayAfter(4)}T00:00:00Z`, end_time: `${dayAfter(5)}T00:00:00Z` };
    const keep = exception("keep", spot);
    return [
      { ...keep, values: { ...keep.values, ...day } },
      { person: owner, operation: "update_pattern", values },
    ];
  },
  first: ["201", "200"],
  after: ["201", "200"],
});

describeDuel("a window published while its owner shares all", () => building, {
  names: ["the exception", "the window"],
  moves: async () => {
    const spot = await spotOf(owner);
    const values = { spot_id: spot.id, start_time: hours(12), end_time: hours(14) };
    return [exception("share", spot), { person: owner, operation: "create_availability", values }];
  },
  first: ["201", "201"],
  after: ["201", "409 Availability overlaps an existing availability of this spot"],
});

describeDuel("a window claimed while the exception that published it is deleted", () => building, {
  names: ["the owner", "the claim"],
  moves: async () => {
    const spot = await spotOf(owner);
    const made = await except(owner, "share", spot, 10, 20);
    const [window] = await building.rows<Window>(
      "select * from parking.availabilities where spot_id = $1",
      [spot.id],
    );
    if (!window) throw new Error("no window");
    const values = { id: made.exception.id };
    return [{ person: owner, operation: "delete_exception", values }, claim(window)];
  },
  first: ["200", "201"],
  after: ["200", GONE],
});

describeDuel("a spot deleted while its owner needs it", () => building, {
  names: ["the exception", "the deletion"],
  moves: async () => {
    const { spot } = await scene();
    return [
      exception("keep", spot),
      { person: owner, operation: "delete_spot", values: { id: spot.id } },
    ];
  },
  first: ["201", "200"],
  after: ["404 Parking spot not found", "200"],
});

it("fifty exceptions and no more, however many are made at one moment", async () => {
  const person = await building.resident();
  await building.rows(
    `insert into parking.exceptions (owner_id, start_time, end_time, kind)
     select $1, now(), now() + interval '1 day', 'keep' from generate_series(1, 48)`,
    [person.id],
  );
  const spots = await several(RIVALS, () => spotOf(person));
  const body = { kind: "keep", start_time: hours(10), end_time: hours(20) };
  const outcomes = await atOnce(
    building,
    spots.map(
      ({ id }) =>
        () =>
          outcomeOf(person.post("/exceptions", { ...body, spot_id: id })),
    ),
  );
  expect(outcomes.filter((outcome) => outcome === "201")).toHaveLength(2);
});

it("all at one moment: exceptions, their ends, claims, their ends, and patterns", async () => {
  const { below } = random(7);
  for (let round = 0; round < ROUNDS; round++) {
    owner = await building.resident(); // who may have fifty
    const { spot, window } = await scene();
    const kept = await except(owner, "keep", spot, 12, 14);
    const held = await claimer.post<{ claim: Claim }>("/claims", claim(window, 6, 8).values, 201);
    const far = await windowOf(owner, spot, 40, 50);
    const other = await claimOf(claimer, far);
    const pattern = await patternOf(owner, threeDays(spot));
    const rivals = [
      () => owner.post("/exceptions", exception("keep", spot, 10, 90).values),
      () => owner.post("/exceptions", exception("share", spot, 1, 100).values),
      () => undo(owner, kept),
      () => claimer.put(`/claims/${held.body.claim.id}`, { status: "cancelled" }),
      () => claimer.delete(`/claims/${other.id}`),
      () => claimer.post("/claims", claim(far, 41, 42).values),
      () => owner.delete(`/patterns/${pattern.id}`),
      () => owner.put(`/patterns/${pattern.id}`, { ends_at: "19:00" }),
    ].toSorted(() => below(3) - 1);
    const outcomes = await atOnce(
      building,
      rivals.map((rival) => () => outcomeOf(rival())),
    );
    expect(outcomes.filter((outcome) => outcome.startsWith("5"))).toEqual([]);
  }
});
