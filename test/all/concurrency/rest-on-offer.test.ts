import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { expectConsistency } from "../../concurrency/consistency.ts";
import { describeDuel, type Move, overRest } from "../../concurrency/duel.ts";
import { atOnce, connectionsFor, several } from "../../concurrency/rivals.ts";
import { keepRest } from "../../rules/rest.ts";
import { useArena } from "../../support/arena.ts";
import { type Claim, hours, type Spot, spotOf, windowOf } from "../../support/building.ts";
import { effort } from "../../support/effort.ts";
import type { Person } from "../../support/person.ts";
import { random } from "../../support/random.ts";
import { expectOrderOfWindows } from "./ledger.ts";

const ROUNDS = effort(20, 500);
const RIVALS = 6;
const TAKEN = "400 This availability has already been claimed";

const building = useArena(connectionsFor(RIVALS));
let owner: Person;
let spot: Spot;
let residents: readonly Person[];
beforeAll(async () => {
  await keepRest(building);
  owner = await building.resident();
  spot = await spotOf(owner);
  residents = await several(RIVALS, () => building.resident());
});
afterEach(async () => {
  await expectConsistency(building);
  await expectOrderOfWindows(building);
});

const resident = (index: number): Person => residents[index] ?? owner;

let last = 0;
/** A window of ten hours that nobody else uses; `from` counts in it. */
async function freshWindow() {
  const base = last + 1;
  last += 20;
  const window = await windowOf(owner, spot, base, base + 10);
  const create = (index: number, from: number, to: number): Move => ({
    person: resident(index),
    operation: "create_claim",
    values: {
      availability_id: window.id,
      start_time: hours(base + from),
      end_time: hours(base + to),
    },
  });
  const claimed = async (index: number, from: number, to: number): Promise<Claim> => {
    const { body } = await resident(index).post<{ claim: Claim }>(
      "/claims",
      create(index, from, to).values,
      201,
    );
    return body.claim;
  };
  return { base, window, create, claimed };
}

const cancel = (index: number, { id }: Claim): Move => ({
  person: resident(index),
  operation: "update_claim",
  values: { id, status: "cancelled" },
});
const remove = (index: number, { id }: Claim): Move => ({
  person: resident(index),
  operation: "delete_claim",
  values: { id },
});
const shift = (index: number, { id }: Claim, end: number): Move => ({
  person: resident(index),
  operation: "update_claim",
  values: { id, end_time: hours(end) },
});
const complete = (index: number, { id }: Claim): Move => ({
  person: resident(index),
  operation: "update_claim",
  values: { id, status: "completed" },
});

describeDuel("two parts of one window claimed", () => building, {
  names: ["the one claim", "the other"],
  moves: async () => {
    const { create } = await freshWindow();
    return [create(0, 1, 3), create(1, 3, 6)];
  },
  first: ["201", "201"],
  after: ["201", "201"],
});

describeDuel("the same time claimed", () => building, {
  names: ["the one claim", "the other"],
  moves: async () => {
    const { create } = await freshWindow();
    return [create(0, 1, 4), create(1, 3, 6)];
  },
  first: ["201", "201"],
  after: [TAKEN, TAKEN],
});

describeDuel("two claims side by side cancelled", () => building, {
  names: ["the one cancellation", "the other"],
  moves: async () => {
    const { claimed } = await freshWindow();
    return [cancel(0, await claimed(0, 1, 4)), cancel(1, await claimed(1, 4, 6))];
  },
  first: ["200", "200"],
  after: ["200", "200"],
});

describeDuel("a claim deleted while the rest beside it is claimed", () => building, {
  names: ["the deletion", "the claim"],
  moves: async () => {
    const { create, claimed } = await freshWindow();
    return [remove(0, await claimed(0, 1, 4)), create(1, 5, 8)];
  },
  first: ["200", "201"],
  after: ["200", "201"],
});

describeDuel("two claims moved into the rest between them", () => building, {
  names: ["the first move", "the second"],
  moves: async () => {
    const { base, claimed } = await freshWindow();
    const [left, right] = [await claimed(0, 1, 3), await claimed(1, 5, 7)];
    return [
      shift(0, left, base + 5),
      {
        person: resident(1),
        operation: "update_claim",
        values: { id: right.id, start_time: hours(base + 4) },
      },
    ];
  },
  first: ["200", "200"],
  after: [TAKEN, TAKEN],
});

describeDuel(
  "a window moved by its owner while the last claim of it is cancelled",
  () => building,
  {
    names: ["the owner", "the cancellation"],
    moves: async () => {
      const { base, claimed, window } = await freshWindow();
      const values = { id: window.id, end_time: hours(base + 9) };
      return [
        { person: owner, operation: "update_availability", values },
        cancel(0, await claimed(0, 0, 4)),
      ];
    },
    first: ["400 Cannot update a claimed availability", "200"],
    after: ["200", "200"],
  },
);

it("a part is claimed whole, now that the rest does not stay, while its neighbour is cancelled", async () => {
  for (let round = 0; round < 10; round++) {
    const { create, claimed } = await freshWindow();
    const claim = await claimed(0, 3, 5);
    await keepRest(building, false);
    const moves = [cancel(0, claim), create(1, 6, 7)];
    const outcomes = await atOnce(
      building,
      moves.map((move) => () => overRest(building, move)),
    );
    expect(outcomes).toEqual(["200", "201"]);
    await building.rows("delete from parking.claims where spot_id = $1", [spot.id]);
    await keepRest(building);
  }
});

describe("neighbours who claim, move, cancel, delete and complete at one moment", () => {
  it(`lose no minute of a window, and never wait in a circle, in ${ROUNDS} rounds`, async () => {
    const chance = random(ROUNDS);
    for (let round = 0; round < ROUNDS; round++) {
      const { base, create, claimed, window } = await freshWindow();
      const claims = [await claimed(0, 1, 3), await claimed(1, 3, 5), await claimed(2, 7, 9)];
      const changes = claims.map((claim, i) =>
        chance.pick([
          cancel(i, claim),
          remove(i, claim),
          shift(i, claim, base + 4 + chance.below(7)),
          complete(i, claim),
        ]),
      );
      const others = [3, 4, 5].map((i) => {
        const from = chance.below(9);
        return create(i, from, from + 1 + chance.below(3));
      });
      const headers = chance.pick([{}, { "If-Match": "*" }]);
      const outcomes = await atOnce(
        building,
        [...changes, ...others].map((move) => () => overRest(building, move, headers)),
      );

      expect(outcomes.filter((outcome) => !/^[24]/.test(outcome))).toEqual([]);
      const [shown] = await building.rows(
        "select start_time, end_time, offered from parking.availabilities where id = $1",
        [window.id],
      );
      expect(shown).toEqual({
        start_time: new Date(window.start_time),
        end_time: new Date(window.end_time),
        offered: null,
      });
    }
  }, 600_000);
});
