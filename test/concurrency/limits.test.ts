import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import { type Spot, spotOf, type Window, windowOf } from "../support/building.ts";
import { type Limits, setLimits } from "../support/limits.ts";
import type { Person } from "../support/person.ts";
import { claimsOf, setClaims, withTransactionOf } from "../support/sql.ts";
import { expectConsistency } from "./consistency.ts";
import {
  atOnce,
  connectionsFor,
  outcomeOf,
  outcomeOfSql,
  type Rival,
  several,
  tally,
} from "./rivals.ts";

const ROUNDS = Number(process.env.RIVAL_ROUNDS ?? 10);
const PATIENCE = 60_000 + ROUNDS * 2_000;
const TOO_MANY = "409 You have as many claims that have not ended as the building allows";

/** Every limit is on. Claims of 2 to 4 hours from hour 10 on are within all of them. */
const limits: Limits = {
  longest_window_days: 30,
  horizon_days: 60,
  shortest_claim_minutes: 60,
  longest_claim_minutes: 300,
  claim_notice_minutes: 5,
  cancellation_cutoff_minutes: 5,
  grace_minutes: null,
  most_active_claims: 2,
  offer_minutes: null,
};

const building = useArena(connectionsFor(12));
/** Each has a spot with three windows of eight hours. */
let residents: readonly { readonly person: Person; readonly windows: readonly Window[] }[];
beforeAll(async () => {
  residents = await several(4, async () => {
    const person = await building.resident();
    const spot: Spot = await spotOf(person);
    const windows = await several(3, (i) => windowOf(person, spot, 10 + 10 * i, 18 + 10 * i));
    return { person, windows };
  });
  await setLimits(building, limits);
});
afterEach(async () => {
  await expectConsistency(building);
  await building.rows("delete from parking.claims where status <> 'completed'");
});

const resident = (index: number) => {
  const found = residents[index % residents.length];
  if (!found) throw new Error("there are no residents");
  return found;
};

const spanOf = ({ id, start_time }: Window, lengthInHours = 2) => ({
  availability_id: id,
  start_time,
  end_time: new Date(Date.parse(start_time) + lengthInHours * 3_600_000).toISOString(),
});

const byRest =
  (person: Person, window: Window, lengthInHours?: number): Rival =>
  () =>
    outcomeOf(person.post("/claims", spanOf(window, lengthInHours)));

const INSERT = `
  insert into parking.claims (availability_id, spot_id, owner_id, start_time, end_time)
  select id, spot_id, owner_id, start_time, start_time + interval '2 hours'
    from parking.availabilities
   where id = $1`;

const bySql =
  (person: Person, { id }: Window): Rival =>
  () =>
    outcomeOfSql(person.sql(INSERT, [id]));

/** The windows of everybody else. */
const windowsFor = (index: number): readonly Window[] =>
  residents.flatMap(({ windows }, other) => (other === index ? [] : windows));

describe("claims_no_more_than_allowed", () => {
  it.each([
    ["over REST", byRest, { "201": 2, [TOO_MANY]: 4 }],
    ["by direct SQL", bySql, { done: 2, claims_no_more_than_allowed: 4 }],
  ] as const)(
    "is exact for six claims by one resident at one moment %s",
    async (_how, by, expected) => {
      const { person } = resident(0);
      for (let round = 0; round < ROUNDS; round++) {
        const rivals = windowsFor(0)
          .slice(0, 6)
          .map((window) => by(person, window));
        expect(tally(await atOnce(building, rivals))).toEqual(expected);
        await building.rows("delete from parking.claims where claimer_id = $1", [person.id]);
      }
    },
    PATIENCE,
  );

  it("holds for a transaction that does not see the other claims", async () => {
    const { person } = resident(0);
    const [first, second, third] = windowsFor(0);
    if (!first || !second || !third) throw new Error("there are no windows");
    await withTransactionOf(building.direct, async (client) => {
      await client.query("set transaction isolation level repeatable read");
      await setClaims(client, claimsOf(person));
      await client.query("select from parking.claims");
      for (const { id } of [first, second]) await person.sql(INSERT, [id]);

      expect(await outcomeOfSql(client.query(INSERT, [third.id]))).toBe("40001");
    });
  });
});
