import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Claim, hours, spotOf, type Window } from "../support/building.ts";
import type { Answer, Failure, Person } from "../support/person.ts";
import { type Arena, openArena } from "./arena.ts";
import { expectOrder } from "./order.ts";
import { type Random, random } from "./random.ts";
import { several } from "./rivals.ts";

const ACTORS = 10;
const MOVES = 40;
const SEED = 20_261_120;
const SLOWEST_MS = 1000;

let building: Arena;
beforeAll(async () => {
  building = await openArena(ACTORS);
});
afterAll(() => building.close());

type Step = (person: Person, chance: Random) => Promise<Answer<Failure>>;

const windows = async (person: Person): Promise<readonly Window[]> =>
  (await person.get<{ availabilities: Window[] }>("/availabilities", 200)).body.availabilities;
const claims = async (person: Person): Promise<readonly Claim[]> =>
  (await person.get<{ claims: Claim[] }>("/claims", 200)).body.claims;

/** Few places and times for many people, so that they meet. */
const someTimes = (chance: Random) => {
  const from = 10 + chance.below(4);
  return { start_time: hours(from), end_time: hours(from + 1 + chance.below(3)) };
};

const publish: Step = async (person, chance) => {
  const { body } = await person.get<{ spots: { id: string }[] }>("/parking-spots", 200);
  const spot = chance.pick(body.spots);
  return person.post("/availabilities", { spot_id: spot.id, ...someTimes(chance) });
};
const onWindow =
  (act: (person: Person, window: Window, chance: Random) => Promise<Answer<Failure>>): Step =>
  async (person, chance) => {
    const all = await windows(person);
    return all.length === 0 ? publish(person, chance) : act(person, chance.pick(all), chance);
  };
const onClaim =
  (act: (person: Person, claim: Claim) => Promise<Answer<Failure>>): Step =>
  async (person, chance) => {
    const all = await claims(person);
    return all.length === 0 ? publish(person, chance) : act(person, chance.pick(all));
  };

const claim = onWindow((person, { id, start_time, end_time }) =>
  person.post("/claims", { availability_id: id, start_time, end_time }),
);
const shift = onWindow((person, { id }, chance) =>
  person.put(`/availabilities/${id}`, someTimes(chance)),
);
const withdraw = onWindow((person, { id }) => person.delete(`/availabilities/${id}`));
const complete = onClaim((person, { id }) => person.put(`/claims/${id}`, { status: "completed" }));
const cancel = onClaim((person, { id }) => person.put(`/claims/${id}`, { status: "cancelled" }));
const remove = onClaim((person, { id }) => person.delete(`/claims/${id}`));
const removeSpot: Step = async (person) => {
  const { id } = await spotOf(person);
  return person.delete(`/parking-spots/${id}`);
};

/** What people mostly do, most often. */
const steps = [publish, publish, claim, claim, claim, shift, withdraw, cancel, cancel, remove];
const rareSteps = [complete, removeSpot];

describe("ten residents who publish, claim, move, cancel and delete all at once", () => {
  it(`leave tables that agree, and are never told of a failure (seed ${SEED})`, async () => {
    const actors = await several(ACTORS, () => building.resident());
    for (const actor of actors.slice(0, 3)) await spotOf(actor);

    const statuses = new Set<number>();
    await Promise.all(
      actors.map(async (actor, i) => {
        const chance = random(SEED + i);
        for (let move = 0; move < MOVES; move++) {
          const step = chance.pick(chance.below(10) === 0 ? rareSteps : steps);
          const start = performance.now();
          statuses.add((await step(actor, chance)).status);
          expect(performance.now() - start).toBeLessThan(SLOWEST_MS);
        }
      }),
    );

    expect([...statuses].toSorted()).toEqual([200, 201, 400, 403, 404, 409]);
    await expectOrder(building);
  });
});
