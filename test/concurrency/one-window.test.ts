import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import { hours, type Spot, spotOf, type Window, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { expectConsistency } from "./consistency.ts";
import { describeDuel } from "./duel.ts";
import {
  atOnce,
  connectionsFor,
  outcomeOf,
  outcomeOfSql,
  type Rival,
  several,
  tally,
} from "./rivals.ts";

const ROUNDS = 8;
const TAKEN = "400 This availability has already been claimed";

const building = useArena(connectionsFor(20));
let owner: Person;
let spot: Spot;
let ann: Person;
let bob: Person;
let residents: readonly Person[];
beforeAll(async () => {
  owner = await building.resident();
  spot = await spotOf(owner);
  [ann, bob] = [await building.resident(), await building.resident()];
  residents = [ann, bob, ...(await several(18, () => building.resident()))];
});
afterEach(() => expectConsistency(building));

let windows = 0;
const nextWindow = (): Promise<Window> => {
  windows += 1;
  return windowOf(owner, spot, windows * 10, windows * 10 + 8);
};

const spanOf = ({ id, start_time, end_time }: Window) => ({
  availability_id: id,
  start_time,
  end_time,
});

const byRest =
  (window: Window, person: Person): Rival =>
  () =>
    outcomeOf(person.post("/claims", spanOf(window)));

const bySql =
  (window: Window, person: Person): Rival =>
  () =>
    outcomeOfSql(
      person.sql(
        `insert into parking.claims (availability_id, spot_id, owner_id, start_time, end_time)
         select id, spot_id, owner_id, start_time, end_time
           from parking.availabilities
          where id = $1`,
        [window.id],
      ),
    );

/** The window has one claim, by the winner, and the owner has one notification. */
async function expectWinner(window: Window, winner: Person | undefined): Promise<void> {
  const rows = await building.rows(
    `select c.claimer_id, n.kind
       from parking.claims c
       join parking.notifications n on n.availability_id = c.availability_id
      where c.availability_id = $1`,
    [window.id],
  );
  expect(rows).toEqual([{ claimer_id: winner?.id, kind: "claim.submitted" }]);
}

describe("rivals for one window", () => {
  it.each([2, 20])("%i over REST: one claims it, the others get a refusal", async (count) => {
    const rivals = residents.slice(0, count);
    for (let round = 0; round < ROUNDS; round++) {
      const window = await nextWindow();
      const outcomes = await atOnce(
        building,
        rivals.map((rival) => byRest(window, rival)),
      );
      expect(tally(outcomes)).toEqual({ "201": 1, [TAKEN]: count - 1 });
      await expectWinner(window, rivals[outcomes.indexOf("201")]);
    }
  });

  it.each([2, 20])("%i by direct SQL: the rule lets one of them through", async (count) => {
    const rivals = residents.slice(0, count);
    for (let round = 0; round < ROUNDS; round++) {
      const window = await nextWindow();
      const outcomes = await atOnce(
        building,
        rivals.map((rival) => bySql(window, rival)),
      );
      expect(tally(outcomes)).toEqual({ done: 1, claims_one_per_availability: count - 1 });
      await expectWinner(window, rivals[outcomes.indexOf("done")]);
    }
  });

  it("one wins, over REST and by direct SQL together", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const window = await nextWindow();
      const outcomes = await atOnce(
        building,
        residents.map((rival, i) => (i % 2 === 0 ? byRest(window, rival) : bySql(window, rival))),
      );
      const { "201": rest = 0, done: sql = 0, ...refused } = tally(outcomes);
      expect(rest + sql).toBe(1);
      expect(refused).toEqual({ [TAKEN]: 10 - rest, claims_one_per_availability: 10 - sql });
    }
  });

  it("take the whole window, even for different hours", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const window = await nextWindow();
      const from = windows * 10;
      const outcomes = await atOnce(
        building,
        residents.slice(0, 8).map(
          (rival, i) => () =>
            outcomeOf(
              rival.post("/claims", {
                availability_id: window.id,
                start_time: hours(from + i),
                end_time: hours(from + i + 1),
              }),
            ),
        ),
      );
      expect(tally(outcomes)).toEqual({ "201": 1, [TAKEN]: 7 });
    }
  });

  it("one resident who asks twice gets it once", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const window = await nextWindow();
      const outcomes = await atOnce(building, [byRest(window, ann), byRest(window, ann)]);
      expect(tally(outcomes)).toEqual({ "201": 1, [TAKEN]: 1 });
    }
  });
});

describeDuel("two claims of one window", () => building, {
  names: ["one claim", "the other"],
  moves: async () => {
    const values = spanOf(await nextWindow());
    return [
      { person: ann, operation: "create_claim", values },
      { person: bob, operation: "create_claim", values },
    ];
  },
  first: ["201", "201"],
  after: [TAKEN, TAKEN],
});
