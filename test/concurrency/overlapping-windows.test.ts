import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import { hours, type Spot, spotOf, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { expectConsistency } from "./consistency.ts";
import { describeDuel, type Move } from "./duel.ts";
import { atOnce, connectionsFor, outcomeOf, outcomeOfSql, type Rival, tally } from "./rivals.ts";
import { withTransaction } from "./transaction.ts";

const ROUNDS = 6;
const WRITERS = 16;
const OVERLAPS = "409 Availability overlaps an existing availability of this spot";

const building = useArena(connectionsFor(20));
let owner: Person;
let spot: Spot;
beforeAll(async () => {
  owner = await building.resident();
  spot = await spotOf(owner);
});
afterEach(() => expectConsistency(building));

let base = 0;
/** The first of a hundred hours that no other test uses. */
const nextHours = (): number => {
  base += 100;
  return base;
};

const windowFrom = (from: number, to: number, { id }: Spot = spot) => ({
  spot_id: id,
  start_time: hours(from),
  end_time: hours(to),
});

const byRest =
  (from: number, to: number): Rival =>
  () =>
    outcomeOf(owner.post("/availabilities", windowFrom(from, to)));

const bySql =
  (from: number, to: number): Rival =>
  () =>
    outcomeOfSql(
      owner.sql(
        `insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
         values ($1, $2, $3, $4)`,
        [spot.id, owner.id, hours(from), hours(to)],
      ),
    );

const create = (from: number, to: number): Move => ({
  person: owner,
  operation: "create_availability",
  values: windowFrom(from, to),
});

/** Publishes a window of nine hours, to be moved. */
const move = async (from: number, times: Readonly<Record<string, string>>): Promise<Move> => {
  const { id } = await windowOf(owner, spot, from, from + 9);
  return { person: owner, operation: "update_availability", values: { id, ...times } };
};

const writers = (make: (index: number) => Rival): Rival[] =>
  Array.from({ length: WRITERS }, (_, index) => make(index));

describe("16 writers of windows that all overlap", () => {
  it("over REST: one is published, the others get a refusal", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const from = nextHours();
      const rivals = writers((i) => byRest(from + i, from + WRITERS + i));
      expect(tally(await atOnce(building, rivals))).toEqual({ "201": 1, [OVERLAPS]: WRITERS - 1 });
    }
  });

  it("by plain INSERTs: the rule lets one through, and none ends in a deadlock", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const from = nextHours();
      const rivals = writers((i) => bySql(from + i, from + WRITERS + i));
      expect(tally(await atOnce(building, rivals))).toEqual({
        done: 1,
        availabilities_do_not_overlap: WRITERS - 1,
      });
    }
  });
});

describe("writers of a month of windows each, in opposite order", () => {
  it("take turns, and the rule lets one of them through", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const from = nextHours();
      const publish = (order: "asc" | "desc") => () =>
        outcomeOfSql(
          owner.sql(
            `insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
             select $1, $2, $3::timestamptz + i * interval '1 hour',
                    $3::timestamptz + (i + 1) * interval '1 hour'
               from generate_series(0, 30) i
              order by i ${order}`,
            [spot.id, owner.id, hours(from)],
          ),
        );
      const rivals = [publish("asc"), publish("desc")];
      expect(tally(await atOnce(building, rivals))).toEqual({
        done: 1,
        availabilities_do_not_overlap: 1,
      });
    }
  });
});

describe("16 writers of windows in a row", () => {
  it.each([
    ["over REST", byRest, "201"],
    ["by plain INSERTs", bySql, "done"],
  ])("%s: all are published, for back to back is not overlapping", async (_door, write, well) => {
    const from = nextHours();
    const rivals = writers((i) => write(from + i, from + i + 1));
    expect(tally(await atOnce(building, rivals))).toEqual({ [well]: WRITERS });
  });

  it("each overlapping its neighbours: every refused one has a published neighbour", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const from = nextHours();
      const outcomes = await atOnce(
        building,
        writers((i) => byRest(from + 2 * i, from + 2 * i + 3)),
      );
      const published = outcomes.map((outcome) => outcome === "201");
      const inPlace = published.map((it, i) => it || published[i - 1] || published[i + 1]);
      expect(inPlace).not.toContain(false);
      expect(tally(outcomes)).toEqual({
        "201": published.filter(Boolean).length,
        [OVERLAPS]: published.filter((it) => !it).length,
      });
    }
  });
});

describeDuel("two windows for the same hours", () => building, {
  names: ["one", "the other"],
  moves: async () => {
    const from = nextHours();
    return [create(from, from + 5), create(from + 4, from + 9)];
  },
  first: ["201", "201"],
  after: [OVERLAPS, OVERLAPS],
});

// In parallel they could deadlock: each would wait for the row that the other has just written.
describeDuel("two windows of one spot that do not overlap", () => building, {
  names: ["one", "the other"],
  moves: async () => {
    const from = nextHours();
    return [create(from, from + 5), create(from + 5, from + 9)];
  },
  first: ["201", "201"],
  after: ["201", "201"],
});

describeDuel("two windows moved to the same hours", () => building, {
  names: ["one", "the other"],
  moves: async () => {
    const from = nextHours();
    const times = { start_time: hours(from + 50), end_time: hours(from + 59) };
    return [await move(from, times), await move(from + 20, times)];
  },
  first: ["200", "200"],
  after: [OVERLAPS, OVERLAPS],
});

describeDuel("a window moved to the hours of a new one", () => building, {
  names: ["the moved one", "the new one"],
  moves: async () => {
    const from = nextHours();
    const times = { start_time: hours(from + 50), end_time: hours(from + 59) };
    return [await move(from, times), create(from + 50, from + 51)];
  },
  first: ["200", "201"],
  after: [OVERLAPS, OVERLAPS],
});

describe("two windows of two spots", () => {
  it("do not wait for each other", async () => {
    const from = nextHours();
    const other = await spotOf(owner);
    await withTransaction(building, owner, async (transaction) => {
      await transaction.call("create_availability", windowFrom(from, from + 5));
      await owner.post("/availabilities", windowFrom(from, from + 5, other), 201);
      await transaction.end("commit");
    });
  });
});
