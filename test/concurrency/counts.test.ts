import { describe, expect, it } from "@jest/globals";
import { Client, DatabaseError } from "pg";
import { run } from "../rules/support.ts";
import { useArena } from "../support/arena.ts";
import { holding, hours, offer, spotOf, windowOf } from "../support/building.ts";
import * as doors from "../support/doors.ts";
import type { Person } from "../support/person.ts";
import { type Random, random } from "../support/random.ts";
import { claimsOf, setClaims, withTransactionOf } from "../support/sql.ts";
import { untilWaiting } from "../support/waiting.ts";
import { several } from "./rivals.ts";
import { expectEqualTotals } from "./totals.ts";

const WRITERS = 4;
const ROUNDS = 4;
const TRANSACTIONS = 15;
const SEED = 20_261_121;

const building = useArena(WRITERS);
const administrator = building.shared("administrator");

/** Few times for many rows, some at midnight. Some windows last for days. */
const someTimes = (chance: Random): string[] => {
  const from = 3 + 3 * chance.below(24);
  return [hours(from), hours(from + chance.pick([1, 2, 3, 6, 30, 60]))];
};

/** One statement of a random kind, as SQL and its values. */
type Act = (chance: Random, person: Person) => readonly [text: string, values: readonly unknown[]];

const oneOf = (table: string, condition = "true"): string =>
  `(select id from parking.${table} where ${condition} order by md5(id::text || $1) limit 1)`;

const acts: readonly Act[] = [
  ...Array<Act>(6).fill((chance, { id }) => [
    `insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
     select s.id, s.owner_id, $3, $4 from parking.spots s where s.id = ${oneOf("spots", "owner_id = $2")}`,
    [chance.below(1e9), id, ...someTimes(chance)],
  ]),
  ...Array<Act>(6).fill((chance) => [
    `insert into parking.claims (availability_id, spot_id, owner_id, start_time, end_time)
     select a.id, a.spot_id, a.owner_id, a.start_time, a.end_time
       from parking.availabilities a
      where a.id = ${oneOf("availabilities", "not is_claimed")}`,
    [chance.below(1e9)],
  ]),
  (chance, { id }) => [
    `update parking.availabilities set start_time = $3, end_time = $4
      where id = ${oneOf("availabilities", "owner_id = $2 and not is_claimed")}`,
    [chance.below(1e9), id, ...someTimes(chance)],
  ],
  (chance, { id }) => [
    "delete from parking.availabilities where owner_id = $1 and not is_claimed and start_time > $2",
    [id, hours(chance.below(72))],
  ],
  (chance, { id }) => [
    `update parking.claims set status = $3 where id = ${oneOf("claims", "claimer_id = $2")}`,
    [chance.below(1e9), id, chance.pick(["completed", "cancelled", "cancelled"])],
  ],
  (chance, { id }) => [
    `delete from parking.claims where id = ${oneOf("claims", "claimer_id = $2")}`,
    [chance.below(1e9), id],
  ],
  (chance, { id }) => [
    `delete from parking.spots where id = ${oneOf("spots", "owner_id = $2")}`,
    [chance.below(1e9), id],
  ],
  ...Array<Act>(2).fill((chance) => [
    "insert into parking.spots (spot_number, building_section) values ($1, 'N')",
    [`R-${chance.below(1e9)}`],
  ]),
];

/** Some transactions at random, of which some are rolled back; a refused statement is left out. */
async function write(people: readonly Person[], chance: Random): Promise<void> {
  const client = new Client({ connectionString: building.database.url("parking_api") });
  await client.connect();
  for (let i = 0; i < TRANSACTIONS; i++) {
    const person = chance.pick(people);
    const level = chance.pick(["read committed", "read committed", "repeatable read"]);
    await client.query(`begin isolation level ${level}`);
    await setClaims(client, claimsOf(person));
    for (let statement = chance.below(3); statement >= 0; statement--) {
      const [text, values] = chance.pick(acts)(chance, person);
      await client.query("savepoint before");
      await client.query(text, [...values]).catch(async (error: unknown) => {
        if (!(error instanceof DatabaseError)) throw error;
        await client.query("rollback to before");
      });
    }
    await client.query(chance.below(4) === 0 ? "rollback" : "commit");
  }
  await client.end();
}

describe("the totals of lists, from counts that triggers keep", () => {
  it(`equal count(*) for everybody after random transactions side by side (seed ${SEED})`, async () => {
    const people = await several(6, () => building.resident());
    for (const person of people) await spotOf(person);
    const chance = random(SEED);

    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all(
        Array.from({ length: WRITERS }, (_, i) => write(people, random(SEED + 100 * round + i))),
      );
      // Two are suspended, others each time.
      await building.rows("update parking.profiles set is_approved = id <> all ($1::uuid[])", [
        [chance.pick(people).id, chance.pick(people).id],
      ]);

      expect(await building.rows("table private.count_drifts")).toEqual([]);
      for (const person of [administrator, ...people.slice(0, 3), await building.newcomer()]) {
        await expectEqualTotals(person, chance);
      }
    }
    const [made] = await building.rows<{ windows: number; claims: number }>(`
      select (select count(*)::integer from parking.availabilities) as windows,
             (select count(*)::integer from parking.claims) as claims`);
    expect(made?.windows).toBeGreaterThan(20);
    expect(made?.claims).toBeGreaterThan(10);
  });

  it("let two claim windows of one owner and one day without waiting for each other", async () => {
    const { owner, spot, claimer, window } = await offer(building);
    const next = await windowOf(owner, spot, 6, 7);

    await withTransactionOf(building.direct, async (held) => {
      await setClaims(held, claimsOf(claimer));
      await run(held, doors.claim(window).sql);
      await withTransactionOf(building.direct, async (other) => {
        await setClaims(other, claimsOf(claimer));
        await other.query("set local lock_timeout = '1ms'");
        await run(other, doors.claim(next).sql);
        await other.query("commit");
      });
      await held.query("commit");
    });

    expect(await building.rows("table private.count_drifts")).toEqual([]);
  });

  it("are recounted beside a transaction that closes a claim and then offers a window", async () => {
    const { owner, spot, claimer, claim } = await holding(building);
    const other = await spotOf(claimer);
    await withTransactionOf(building.direct, async (client) => {
      await setClaims(client, claimsOf(claimer));
      await client.query("update parking.claims set status = 'completed' where id = $1", [
        claim.id,
      ]);
      const recounted = building.superuser.query("select private.recount()");
      await untilWaiting(building, 1);
      await client.query(
        `insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
         values ($1, $2, $3, $4)`,
        [other.id, claimer.id, hours(1), hours(2)],
      );
      // A writer that has not counted yet waits, and counts what recount did not see.
      const window = windowOf(owner, spot, 6, 7);
      await client.query("commit");
      await recounted;
      await window;
    });
    expect(await building.rows("table private.count_drifts")).toEqual([]);
  });

  it("stand in as many rows after changes that each see one snapshot", async () => {
    const { claimer, claim } = await holding(building);
    const rows = () => building.rows("select id from private.day_counts");
    const before = await rows();

    await withTransactionOf(building.direct, async (client) => {
      for (const hour of [4, 5]) {
        await client.query("rollback; begin isolation level repeatable read");
        await setClaims(client, claimsOf(claimer));
        await client.query("update parking.claims set end_time = $2 where id = $1", [
          claim.id,
          hours(hour),
        ]);
        await client.query("commit");
      }
    });

    expect(await rows()).toHaveLength(before.length);
    expect(await building.rows("table private.count_drifts")).toEqual([]);
  });
});
