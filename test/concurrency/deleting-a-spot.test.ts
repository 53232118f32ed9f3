import { afterEach } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import { claimOf, hours, type Spot, spotOf, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { expectConsistency } from "./consistency.ts";
import { describeDuels, type Move } from "./duel.ts";
import { connectionsFor } from "./rivals.ts";

const building = useArena(connectionsFor(4));
const owner = building.shared("resident");
const claimer = building.shared("resident");
const administrator = building.shared("administrator");
afterEach(() => expectConsistency(building));

const free = async () => {
  const spot = await spotOf(owner);
  return { spot, window: await windowOf(owner, spot, 10, 20) };
};
const claimed = async () => {
  const made = await free();
  return { ...made, claim: await claimOf(claimer, made.window) };
};
const cancelled = async () => {
  const made = await claimed();
  await claimer.put(`/claims/${made.claim.id}`, { status: "cancelled" }, 200);
  return made;
};

const move = (person: Person, operation: string, values: Move["values"]): Move => ({
  person,
  operation,
  values,
});
const remove = ({ id }: Spot) => move(owner, "delete_spot", { id });

/** The deletion of a spot, and a move about the spot, its window or its claim. */
const against =
  <T extends { readonly spot: Spot }>(make: () => Promise<T>, other: (made: T) => Move) =>
  async () => {
    const made = await make();
    return [remove(made.spot), other(made)] as const;
  };

const refusals = {
  used: "409 Cannot delete a parking spot with active claims",
  gone: "404 Parking spot not found",
  absent: "404 Availability not found",
};
describeDuels(() => building, refusals, [
  [
    "a spot deleted, its window claimed",
    "200 201, used absent",
    against(free, ({ window: { id, start_time, end_time } }) =>
      move(claimer, "create_claim", { availability_id: id, start_time, end_time }),
    ),
  ],
  [
    "a spot deleted, its window moved",
    "200 200, 200 absent",
    against(free, ({ window: { id } }) =>
      move(owner, "update_availability", { id, end_time: hours(30) }),
    ),
  ],
  [
    "a spot deleted, a window of it published",
    "200 201, 200 gone",
    against(free, ({ spot }) =>
      move(owner, "create_availability", {
        spot_id: spot.id,
        start_time: hours(30),
        end_time: hours(40),
      }),
    ),
  ],
  [
    "a spot deleted, its window withdrawn",
    "200 200, 200 absent",
    against(free, ({ window: { id } }) => move(owner, "delete_availability", { id })),
  ],
  ...(["cancelled", "completed"] as const).map(
    (status) =>
      [
        `a spot deleted, its claim ${status}`,
        "used 200, 200 200",
        against(claimed, ({ claim: { id } }) => move(claimer, "update_claim", { id, status })),
      ] as const,
  ),
  [
    "a spot deleted, its claim deleted",
    "used 200, 200 200",
    against(claimed, ({ claim: { id } }) => move(claimer, "delete_claim", { id })),
  ],
  [
    "a spot deleted, its cancelled claim deleted",
    "200 200, 200 200",
    against(cancelled, ({ claim: { id } }) => move(claimer, "delete_claim", { id })),
  ],
  [
    "a spot deleted and verified",
    "200 200, 200 gone",
    against(free, ({ spot: { id } }) =>
      move(administrator, "verify_spot", { id, is_verified: true }),
    ),
  ],
  [
    "a spot deleted, its section changed",
    "200 200, 200 gone",
    against(free, ({ spot: { id } }) =>
      move(owner, "update_spot", { id, building_section: "South" }),
    ),
  ],
  ["a spot deleted twice", "200 200, gone gone", against(free, ({ spot }) => remove(spot))],
]);
