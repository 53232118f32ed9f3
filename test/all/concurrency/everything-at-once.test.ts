import { expect, it } from "@jest/globals";
import { contradictions } from "../../concurrency/consistency.ts";
import { connectionsFor } from "../../concurrency/rivals.ts";
import { useArena } from "../../support/arena.ts";
import { random } from "../../support/random.ts";
import { everybodyIn } from "./everybody.ts";

const ROUNDS = Number(process.env.RIVAL_ROUNDS ?? 10);
const SEED = Number(process.env.RIVAL_SEED ?? 17);
const RIVALS = 8;

const building = useArena(connectionsFor(RIVALS));

const HARMLESS = /^(?:[234]\d\d|done|40001|40P01|PT40\d|[a-z]+_[a-z_]+$)/;

it(
  `a few spots with every setting, on which all do everything at once (seed ${SEED}, ${ROUNDS} rounds)`,
  async () => {
    const { someRival, contradictionsInLog, renewSpot } = await everybodyIn(building);
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
    if (process.env.RIVAL_ROUNDS) console.log(counts);
  },
  60_000 + ROUNDS * 3_000,
);
