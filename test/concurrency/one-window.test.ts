import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { keepRest } from "../rules/rest.ts";
import { useArena } from "../support/arena.ts";
import {
  type Claim,
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
/** Of those who write in transactions of their own. */
const LEVEL_ROUNDS = Number(process.env.RIVAL_ROUNDS ?? 5);
const KNOWN = ["done", "claims_one_per_availability", "40001"];
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
        const base = windows * 10;
        const span = { start_time: hours(base), end_time: hours(base + 2) };
        const body = { availability_id: window.id, ...span };
        const { claim } = (await ann.post<{ claim: Claim }>("/claims", body, 201)).body;
        const rivals = residents.slice(1, 7).map((rival): Rival => {
          const level = chance.pick(LEVELS);
          const from = base + chance.below(7);
          const until = from + 1 + chance.below(2);
          const values = [window.id, hours(from), hours(until)];
          return atLevel(level, rival, "select api.create_claim($1, $2, $3)", values);
        });
        const sql = "update parking.claims set status = 'cancelled' where id = $1";
        const cancel = atLevel(chance.pick(LEVELS), ann, sql, [claim.id]);
        // Every other time the window is free before, and the first of them has it.
        const isFree = round % 2 === 0;
        if (isFree) expect(await cancel()).toBe("done");
        const outcomes = await atOnce(building, isFree ? rivals : [...rivals, cancel]);

        expect(outcomes.filter((it) => !KNOWN.includes(it))).toEqual([]);
        const { done = 0 } = tally(outcomes.slice(0, rivals.length));
        if (isFree) expect(done).toBeGreaterThan(0);
        const [held] = await building.rows(
          `select count(*)::integer as claims, sum(upper(takes) - lower(takes)) as taken,
                (select sum(upper(t) - lower(t)) from unnest(range_agg(takes)) t) as covered
           from parking.claims where holds = $1 and id <> $2`,
          [window.id, claim.id],
        );
        expect(held).toEqual({ claims: done, taken: held?.covered, covered: held?.covered });
      }
    },
    60_000 + LEVEL_ROUNDS * 1_000,
  );
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
