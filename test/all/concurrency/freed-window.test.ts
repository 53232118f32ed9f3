import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { expectConsistency } from "../../concurrency/consistency.ts";
import { describeDuel, type Move, overRest } from "../../concurrency/duel.ts";
import { atOnce, connectionsFor, several, tally } from "../../concurrency/rivals.ts";
import { useArena } from "../../support/arena.ts";
import {
  type Claim,
  claimOf,
  type Spot,
  spotOf,
  type Window,
  windowOf,
} from "../../support/building.ts";
import type { Person } from "../../support/person.ts";

const TAKEN = "400 This availability has already been claimed";

const building = useArena(connectionsFor(12));
let owner: Person;
let spot: Spot;
let claimer: Person;
let next: Person;
beforeAll(async () => {
  owner = await building.resident();
  spot = await spotOf(owner);
  [claimer, next] = [await building.resident(), await building.resident()];
});
afterEach(() => expectConsistency(building));

let from = 0;
const claimedWindow = async (): Promise<{ window: Window; claim: Claim }> => {
  from += 10;
  const window = await windowOf(owner, spot, from, from + 8);
  return { window, claim: await claimOf(claimer, window) };
};

const cancelledWindow = async (): Promise<{ window: Window; claim: Claim }> => {
  const claimed = await claimedWindow();
  await claimer.put(`/claims/${claimed.claim.id}`, { status: "cancelled" }, 200);
  return claimed;
};

const create = ({ id, start_time, end_time }: Window, person: Person): Move => ({
  person,
  operation: "create_claim",
  values: { availability_id: id, start_time, end_time },
});
const cancel = ({ id }: Claim): Move => ({
  person: claimer,
  operation: "update_claim",
  values: { id, status: "cancelled" },
});
const remove = ({ id }: Claim): Move => ({
  person: claimer,
  operation: "delete_claim",
  values: { id },
});

describeDuel("a claim cancelled while another wants its window", () => building, {
  names: ["the cancellation", "the other's claim"],
  moves: async () => {
    const { window, claim } = await claimedWindow();
    return [cancel(claim), create(window, next)];
  },
  first: ["200", TAKEN],
  after: ["200", "201"],
});

describeDuel("a claim deleted while another wants its window", () => building, {
  names: ["the deletion", "the other's claim"],
  moves: async () => {
    const { window, claim } = await claimedWindow();
    return [remove(claim), create(window, next)];
  },
  first: ["200", TAKEN],
  after: ["200", "201"],
});

describeDuel("a cancelled claim deleted while another claims the window", () => building, {
  names: ["the deletion", "the other's claim"],
  moves: async () => {
    const { window, claim } = await cancelledWindow();
    return [remove(claim), create(window, next)];
  },
  first: ["200", "201"],
  after: ["200", "201"],
  waits: [false, false],
});

describe("a window that was freed", () => {
  it("stays claimed by the next when the cancelled claim is deleted at that moment", async () => {
    for (let round = 0; round < 10; round++) {
      const { window, claim } = await cancelledWindow();
      const moves = [remove(claim), create(window, next)];
      await atOnce(
        building,
        moves.map((move) => () => overRest(building, move)),
      );
      const { body } = await owner.get<{ availability: Window }>(`/availabilities/${window.id}`);
      expect(body.availability.is_claimed).toBe(true);
    }
  });

  it("goes to one of ten who wait for it", async () => {
    const residents = await several(10, () => building.resident());
    for (let round = 0; round < 10; round++) {
      const { window } = await cancelledWindow();
      const outcomes = await atOnce(
        building,
        residents.map((resident) => () => overRest(building, create(window, resident))),
      );
      expect(tally(outcomes)).toEqual({ "201": 1, [TAKEN]: 9 });
    }
  });
});
