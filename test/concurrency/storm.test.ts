import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Arena, openArena } from "../support/arena.ts";
import { type Claim, hours, type Spot, type Window } from "../support/building.ts";
import type { Answer, Failure, Person } from "../support/person.ts";
import { type Random, random } from "../support/random.ts";
import { expectConsistency } from "./consistency.ts";
import { several } from "./rivals.ts";

const ACTORS = 10;
const MOVES = 40;
const SEED = 20_261_120;

let building: Arena;
beforeAll(async () => {
  building = await openArena(ACTORS);
});
afterAll(() => building.close());

/** A request that a person has chosen after reading a list. */
type Attempt = () => Promise<Answer<Failure>>;
type Choice = (person: Person, chance: Random) => Promise<Attempt>;

/** Few hours for many people, so that their requests collide. */
const someTimes = (chance: Random) => {
  const from = 10 + chance.below(4);
  return { start_time: hours(from), end_time: hours(from + 1 + chance.below(3)) };
};

const register: Choice = async (person) => () =>
  person.post("/parking-spots", { spot_number: randomUUID().slice(0, 8), building_section: "N" });

/** Does something with an item of the list; if it is empty, registers a spot. */
const withOneOf =
  <Item>(
    list: (person: Person) => Promise<readonly Item[]>,
    act: (person: Person, item: Item, chance: Random) => Promise<Answer<Failure>>,
  ): Choice =>
  async (person, chance) => {
    const items = await list(person);
    if (items.length === 0) return register(person, chance);
    const item = chance.pick(items);
    return () => act(person, item, chance);
  };

const ownSpots = async (person: Person) =>
  (await person.get<{ spots: Spot[] }>(`/parking-spots?owner_id=${person.id}`, 200)).body.spots;
const windows = async (person: Person, query = "") =>
  (await person.get<{ availabilities: Window[] }>(`/availabilities${query}`, 200)).body
    .availabilities;
const ownWindows = (person: Person) => windows(person, `?owner_id=${person.id}`);
const claims = async (person: Person) =>
  (await person.get<{ claims: Claim[] }>("/claims", 200)).body.claims;

const publish = withOneOf(ownSpots, (person, { id }, chance) =>
  person.post("/availabilities", { spot_id: id, ...someTimes(chance) }),
);
const removeSpot = withOneOf(ownSpots, (person, { id }) => person.delete(`/parking-spots/${id}`));
const shift = withOneOf(ownWindows, (person, { id }, chance) =>
  person.put(`/availabilities/${id}`, someTimes(chance)),
);
const withdraw = withOneOf(ownWindows, (person, { id }) => person.delete(`/availabilities/${id}`));
const claim = withOneOf(windows, (person, { id, start_time, end_time }) =>
  person.post("/claims", { availability_id: id, start_time, end_time }),
);
const change = (status: string) =>
  withOneOf(claims, (person, { id }) => person.put(`/claims/${id}`, { status }));
const remove = withOneOf(claims, (person, { id }) => person.delete(`/claims/${id}`));

/** Frequent actions are in the list several times. */
const choices: readonly Choice[] = [
  ...Array(5).fill(publish),
  ...Array(8).fill(claim),
  ...Array(4).fill(change("cancelled")),
  ...[change("completed"), remove, remove, shift, shift, withdraw, removeSpot],
];

describe("ten residents who publish, claim, move, cancel and delete all at once", () => {
  it(`leave consistent rows, and never get a 5xx (seed ${SEED})`, async () => {
    const actors = await several(ACTORS, () => building.resident());
    const statuses = new Set<number>();
    await Promise.all(
      actors.map(async (actor, i) => {
        const chance = random(SEED + i);
        for (let move = 0; move < MOVES; move++) {
          const attempt = await chance.pick(choices)(actor, chance);
          statuses.add((await attempt()).status);
        }
      }),
    );

    expect([200, 201, 400, 403, 404, 409]).toEqual(expect.arrayContaining([...statuses]));
    expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 400, 403, 409]));
    await expectConsistency(building);
  });
});
