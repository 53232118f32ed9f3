import { afterEach, beforeAll, expect, it } from "@jest/globals";
import { expectConsistency } from "../../concurrency/consistency.ts";
import { connectionsFor, outcomeOf, type Rival, several } from "../../concurrency/rivals.ts";
import { keepRest } from "../../rules/rest.ts";
import { useArena } from "../../support/arena.ts";
import { hours, type Spot, spotOf, windowOf } from "../../support/building.ts";
import { dayAfter, patternOf, threeDays } from "../../support/patterns.ts";
import type { Person } from "../../support/person.ts";
import { random } from "../../support/random.ts";

const ROUNDS = Number(process.env.RIVAL_ROUNDS ?? 4);
const SEED = Number(process.env.RIVAL_SEED ?? 17);
const RIVALS = 6;

const building = useArena(connectionsFor(RIVALS));
let people: readonly Person[];
beforeAll(async () => {
  await keepRest(building);
  people = await several(3, () => building.resident());
});
afterEach(async () => {
  await expectConsistency(building);
  expect(await building.rows("table private.count_drifts")).toEqual([]);
});

/** What is free of a spot, ahead. */
const offered = ({ id }: Spot) =>
  building.rows(
    `select range_agg(private.free_times(a))::text as times
       from parking.availabilities a
      where a.spot_id = $1 and a.start_time > now()`,
    [id],
  );
const idsOf = async (table: "exceptions" | "claims", spot: Spot, where = "true") =>
  building.rows<{ id: string; claimer_id: string }>(
    `select to_jsonb(t) ->> 'id' as id, to_jsonb(t) ->> 'claimer_id' as claimer_id
       from parking.${table} t where spot_id = $1 and ${where}`,
    [spot.id],
  );

it(
  `all time is on offer again after claims and exceptions at once have ended (seed ${SEED})`,
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const chance = random(SEED + round);
      const owner = await building.resident(); // who may have fifty exceptions
      const spot = await spotOf(owner);
      await patternOf(owner, { ...threeDays(spot), last_day: dayAfter(4) });
      await windowOf(owner, spot, 20, 40);
      const before = await offered(spot);
      const personOf = (id: string) => people.find((it) => it.id === id) ?? owner;
      const cancel = ({ id, claimer_id }: { id: string; claimer_id: string }) =>
        outcomeOf(personOf(claimer_id).put(`/claims/${id}`, { status: "cancelled" }));
      const undo = ({ id }: { id: string }) => outcomeOf(owner.delete(`/exceptions/${id}`));

      const act = async (): Promise<Rival> => {
        const [claims, exceptions, windows] = [
          await idsOf("claims", spot, "status = 'active'"),
          await idsOf("exceptions", spot),
          await building.rows<{ id: string; start_time: Date; end_time: Date }>(
            "select * from parking.availabilities where spot_id = $1 and start_time > now()",
            [spot.id],
          ),
        ];
        const from = 20 + chance.below(110);
        const span = { start_time: hours(from), end_time: hours(from + 1 + chance.below(12)) };
        switch (chance.below(8)) {
          case 0:
          case 1: {
            const body = { kind: "keep", spot_id: spot.id, ...span };
            return () => outcomeOf(owner.post("/exceptions", body));
          }
          case 2:
            return () => (exceptions.length > 0 ? undo(chance.pick(exceptions)) : run());
          case 3:
            return () => (claims.length > 0 ? cancel(chance.pick(claims)) : run());
          case 4: {
            if (claims.length === 0) return run;
            const { id, claimer_id } = chance.pick(claims);
            const path = `/claims/${id}`;
            return chance.below(3)
              ? () => outcomeOf(personOf(claimer_id).put(path, { end_time: span.end_time }))
              : () => outcomeOf(personOf(claimer_id).delete(path));
          }
          default: {
            if (windows.length === 0) return run;
            const { id, start_time, end_time } = chance.pick(windows);
            const step = (end_time.getTime() - start_time.getTime()) / 4;
            const [a, b] = [chance.below(3), chance.below(2)];
            const body = {
              availability_id: id,
              start_time: new Date(start_time.getTime() + a * step),
              end_time: new Date(end_time.getTime() - b * step),
            };
            const person = chance.pick(people);
            return () => outcomeOf(person.post("/claims", body));
          }
        }
      };
      const run: Rival = () => outcomeOf(owner.get("/availabilities"));

      for (let turn = 0; turn < 5; turn++) {
        const rivals = await several(RIVALS, act);
        const outcomes = await Promise.all(rivals.map((rival) => rival()));
        expect(outcomes.filter((it) => it.startsWith("5"))).toEqual([]);
      }
      const ends = [
        async () => {
          for (const claim of await idsOf("claims", spot, "status = 'active'")) await cancel(claim);
        },
        async () => {
          for (const exception of await idsOf("exceptions", spot)) await undo(exception);
        },
      ];
      for (const end of chance.below(2) ? ends : ends.toReversed()) await end();
      expect({ round, now: await offered(spot) }).toEqual({ round, now: before });
    }
  },
  60_000 + ROUNDS * 5_000,
);
