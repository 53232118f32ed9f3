import { afterEach, beforeAll } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import {
  type Claim,
  claimOf,
  hours,
  type Spot,
  spotOf,
  type Window,
  windowOf,
} from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { expectConsistency } from "./consistency.ts";
import { describeDuel, type Move } from "./duel.ts";
import { connectionsFor } from "./rivals.ts";

const IN_USE = "409 Cannot delete a parking spot with active claims";
const NO_SPOT = "404 Parking spot not found";
const NO_WINDOW = "404 Availability not found";

const building = useArena(connectionsFor(4));
let owner: Person;
let claimer: Person;
let administrator: Person;
beforeAll(async () => {
  owner = await building.resident();
  claimer = await building.resident();
  administrator = await building.administrator();
});
afterEach(() => expectConsistency(building));

interface Scene {
  readonly spot: Spot;
  readonly window: Window;
}
interface ClaimedScene extends Scene {
  readonly claim: Claim;
}

const free = async (): Promise<Scene> => {
  const spot = await spotOf(owner);
  return { spot, window: await windowOf(owner, spot, 10, 20) };
};
const claimed = async (): Promise<ClaimedScene> => {
  const scene = await free();
  return { ...scene, claim: await claimOf(claimer, scene.window) };
};
const cancelled = async (): Promise<ClaimedScene> => {
  const scene = await claimed();
  await claimer.put(`/claims/${scene.claim.id}`, { status: "cancelled" }, 200);
  return scene;
};

const remove = ({ id }: Spot): Move => ({
  person: owner,
  operation: "delete_spot",
  values: { id },
});

/** The deletion of a spot, and something that happens to it, to its window or to its claim. */
const against =
  <T extends Scene>(
    scene: () => Promise<T>,
    other: (scene: T) => Omit<Move, "person">,
    person: () => Person = () => owner,
  ) =>
  async () => {
    const set = await scene();
    return [remove(set.spot), { person: person(), ...other(set) }] as const;
  };

describeDuel("a spot deleted while its window is claimed", () => building, {
  names: ["the deletion", "the claim"],
  moves: against(
    free,
    ({ window: { id, start_time, end_time } }) => ({
      operation: "create_claim",
      values: { availability_id: id, start_time, end_time },
    }),
    () => claimer,
  ),
  first: ["200", "201"],
  after: [IN_USE, NO_WINDOW],
});

describeDuel("a spot deleted while its window is moved", () => building, {
  names: ["the deletion", "the move"],
  moves: against(free, ({ window }) => ({
    operation: "update_availability",
    values: { id: window.id, end_time: hours(30) },
  })),
  first: ["200", "200"],
  after: ["200", NO_WINDOW],
});

describeDuel("a spot deleted while a window of it is published", () => building, {
  names: ["the deletion", "the new window"],
  moves: against(free, ({ spot }) => ({
    operation: "create_availability",
    values: { spot_id: spot.id, start_time: hours(30), end_time: hours(40) },
  })),
  first: ["200", "201"],
  after: ["200", NO_SPOT],
});

describeDuel("a spot deleted while its window is withdrawn", () => building, {
  names: ["the deletion", "the withdrawal"],
  moves: against(free, ({ window }) => ({
    operation: "delete_availability",
    values: { id: window.id },
  })),
  first: ["200", "200"],
  after: ["200", NO_WINDOW],
});

describeDuel("a spot deleted while the claim on it is cancelled", () => building, {
  names: ["the deletion", "the cancellation"],
  moves: against(
    claimed,
    ({ claim }) => ({
      operation: "update_claim",
      values: { id: claim.id, status: "cancelled" },
    }),
    () => claimer,
  ),
  first: [IN_USE, "200"],
  after: ["200", "200"],
});

describeDuel("a spot deleted while the claim on it is deleted", () => building, {
  names: ["the deletion", "the deletion of the claim"],
  moves: against(
    claimed,
    ({ claim }) => ({ operation: "delete_claim", values: { id: claim.id } }),
    () => claimer,
  ),
  first: [IN_USE, "200"],
  after: ["200", "200"],
});

describeDuel("a spot deleted while the claim on it is completed", () => building, {
  names: ["the deletion", "the completion"],
  moves: against(
    claimed,
    ({ claim }) => ({
      operation: "update_claim",
      values: { id: claim.id, status: "completed" },
    }),
    () => claimer,
  ),
  first: [IN_USE, "200"],
  after: ["200", "200"],
});

describeDuel("a spot deleted while the cancelled claim on it is deleted", () => building, {
  names: ["the deletion", "the deletion of the claim"],
  moves: against(
    cancelled,
    ({ claim }) => ({ operation: "delete_claim", values: { id: claim.id } }),
    () => claimer,
  ),
  first: ["200", "200"],
  after: ["200", "200"],
});

describeDuel("a spot deleted while it is verified", () => building, {
  names: ["the deletion", "the verification"],
  moves: against(
    free,
    ({ spot }) => ({ operation: "verify_spot", values: { id: spot.id, is_verified: true } }),
    () => administrator,
  ),
  first: ["200", "200"],
  after: ["200", NO_SPOT],
});

describeDuel("a spot deleted while its section is changed", () => building, {
  names: ["the deletion", "the change"],
  moves: against(free, ({ spot }) => ({
    operation: "update_spot",
    values: { id: spot.id, building_section: "South" },
  })),
  first: ["200", "200"],
  after: ["200", NO_SPOT],
});

describeDuel("a spot deleted twice", () => building, {
  names: ["one deletion", "the other"],
  moves: against(free, ({ spot }) => remove(spot)),
  first: ["200", "200"],
  after: [NO_SPOT, NO_SPOT],
});
