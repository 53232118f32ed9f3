import { expect, it } from "@jest/globals";
import type { Client } from "pg";
import { withClient } from "../../../src/database/client.ts";
import { contradictions } from "../../concurrency/consistency.ts";
import { connectionsFor } from "../../concurrency/rivals.ts";
import { useArena } from "../../support/arena.ts";
import type { Spot } from "../../support/building.ts";
import { random } from "../../support/random.ts";
import { rolledBack } from "../../support/sql.ts";
import { everybodyIn } from "./everybody.ts";

const ROUNDS = Number(process.env.RIVAL_ROUNDS ?? 10);
const SEED = Number(process.env.RIVAL_SEED ?? 17);
const RIVALS = 8;

const building = useArena(connectionsFor(RIVALS));

/** What is on offer of a spot follows from what was said: a pattern that is over, and sets it anew, changes nothing. */
const expectDerived = ({ spot: { id, owner_id } }: { readonly spot: Spot }) =>
  withClient(building.database.url("postgres"), (superuser: Client) =>
    rolledBack(superuser, async () => {
      const offer = async () => {
        const sql = `select range_agg(u.offered)::text as offered
                       from parking.availabilities a
                      cross join unnest(coalesce(a.offered, tstzmultirange(a.during))) u (offered)
                      where a.spot_id = $1`;
        return (await superuser.query(sql, [id])).rows;
      };
      const before = await offer();
      await superuser.query(
        `insert into parking.patterns (spot_id, owner_id, weekdays, starts_at, ends_at, first_day, last_day)
         values ($1, $2, '{MO}', '08:00', '18:00', '2020-01-01', '2020-01-31')`,
        [id, owner_id],
      );
      expect(await offer()).toEqual(before);
    }),
  );

const HARMLESS = /^(?:[234]\d\d|done|40001|40P01|PT40\d|[a-z]+_[a-z_]+$)/;

it(
  `a few spots with every setting, on which all do everything at once (seed ${SEED}, ${ROUNDS} rounds)`,
  async () => {
    const { someRival, contradictionsInLog, renewSpot, runJob, spots } =
      await everybodyIn(building);
    const chance = random(SEED);
    const counts: Record<string, number> = {};
    for (let round = 0; round < ROUNDS; round++) {
      const rivals = [];
      for (let i = 0; i < RIVALS; i++) rivals.push(await someRival(chance));
      const outcomes = await Promise.all(rivals.map((rival) => rival()));
      for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
      expect(outcomes.filter((it) => !HARMLESS.test(it))).toEqual([]);
      expect({ round, outcomes, found: await contradictionsInLog() }).toMatchObject({ found: [] });
      expect((await building.superuser.query(contradictions)).rows).toEqual([]);
      expect(await building.rows("table private.count_drifts")).toEqual([]);
      if (round % 20 === 19) await building.rows("update parking.profiles set is_approved = true");
      if (round % 40 === 39) await renewSpot(chance);
    }
    await building.rows("update parking.profiles set is_approved = true");
    expect(await runJob()).toBe("done");
    for (const one of spots) await expectDerived(one);
    if (process.env.RIVAL_ROUNDS) console.log(counts);
  },
  60_000 + ROUNDS * 3_000,
);
