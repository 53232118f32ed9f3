import { describe, expect, it } from "@jest/globals";
import { expectConsistency } from "../../concurrency/consistency.ts";
import { connectionsFor, type Rival, several, tally } from "../../concurrency/rivals.ts";
import { useArena } from "../../support/arena.ts";
import { type Claim, hours, spotOf, type Window } from "../../support/building.ts";
import { setLimits } from "../../support/limits.ts";
import type { Person } from "../../support/person.ts";
import { random } from "../../support/random.ts";
import { letPass, tell, type Wish } from "../../support/wishes.ts";
import { cancels, claims, codeOf, withdraws } from "./wish-moves.ts";

const ROUNDS = Number(process.env.RIVAL_ROUNDS ?? 10);
const PATIENCE = 60_000 + ROUNDS * 3_000;
const EACH = 30;
const FROM = 40;

const building = useArena(connectionsFor(10));

/** Every wish or offer that contradicts another, with what is wrong about it. */
const contradictions = `
  select 'two have a window at one moment' as wrong, w.id
    from parking.wishes w
    join parking.wishes o
      on o.availability_id = w.availability_id
     and o.id > w.id
     and o.offered_from < w.offered_until
     and w.offered_from < o.offered_until
    join parking.availabilities a on a.id = w.availability_id and not a.is_claimed
   where w.claim_id is null and o.claim_id is null
  union all
  select 'an open wish has a claim that fits', w.id
    from parking.wishes w
    join parking.claims c
      on c.claimer_id = w.wisher_id
     and c.start_time <= w.start_time
     and c.end_time >= w.end_time
     -- Of one round, neither may have seen the other.
     and exists (
       select from unnest($1::timestamptz[]) round (began)
        where w.created_at < round.began
          and c.created_at > round.began
     )
   where w.claim_id is null
  union all
  select 'not told of the window', w.id
    from parking.wishes w
   where w.availability_id is not null
     and not exists (select from parking.notifications n where n.id = w.id)
  union all
  select 'has an offer of what is not free', w.id
    from parking.wishes w
    left join parking.availabilities a on a.id = w.availability_id and not a.is_claimed
   where w.claim_id is null
     and w.start_time > now()
     and w.availability_id is not null
     and a.id is null
  union all
  select 'has an offer that nobody gave', w.id
    from parking.wishes w
   where (w.offered_from is null) <> (w.offered_until is null)`;

describe("everything at once", () => {
  it(
    "makes no deadlock, no failure and no contradiction",
    async () => {
      const chance = random(20_261_122);
      await setLimits(building, { offer_minutes: EACH });
      const people = await several(6, async () => {
        const person = await building.resident();
        return { person, spot: await spotOf(person) };
      });
      const own = async <Row>(person: Person, path: string, member: string) => {
        const { body } = await person.get<Record<string, readonly Row[]>>(`${path}?limit=200`, 200);
        return body[member] ?? [];
      };
      const attempt = async (): Promise<Rival> => {
        const { person, spot } = chance.pick(people);
        const from = FROM + 10 * chance.below(3);
        switch (chance.below(7)) {
          case 0: {
            const times = { start_time: hours(from), end_time: hours(from + 8) };
            return () => codeOf(person.post("/availabilities", { spot_id: spot.id, ...times }));
          }
          case 1: {
            const [claim] = (await own<Claim>(person, "/claims", "claims")).filter(
              (it) => it.claimer_id === person.id && it.status === "active",
            );
            return claim ? cancels(person, claim) : async () => "nothing";
          }
          case 2: {
            const [wish] = await own<Wish>(person, "/wishes", "wishes");
            return wish ? withdraws(person, wish) : async () => "nothing";
          }
          case 3:
            return async () => {
              await letPass(building, EACH / 2);
              return "200";
            };
          case 4:
            return async () => {
              await tell(building);
              return "200";
            };
          case 5: {
            const times = { start_time: hours(from + 1), end_time: hours(from + 3) };
            return () => codeOf(person.post("/wishes", times));
          }
          default: {
            const free = await own<Window>(person, "/availabilities", "availabilities");
            const one = free[chance.below(Math.max(1, free.length))];
            return one ? claims(person, one) : async () => "nothing";
          }
        }
      };
      const outcomes: string[] = [];
      const began: Date[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const [clock] = await building.rows<{ now: Date }>("select clock_timestamp() as now");
        if (clock) began.push(clock.now);
        const rivals = await several(10, attempt);
        outcomes.push(...(await Promise.all(rivals.map((rival) => rival()))));
      }
      await tell(building);
      const counts = tally(outcomes);
      expect(Object.keys(counts).filter((code) => code.startsWith("5"))).toEqual([]);
      expect(counts).toMatchObject({ "201": expect.any(Number), "200": expect.any(Number) });
      expect(await building.rows(contradictions, [began])).toEqual([]);
      await expectConsistency(building);
    },
    PATIENCE,
  );
});
