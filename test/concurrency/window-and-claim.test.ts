import { afterEach, beforeAll } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import { hours, type Spot, spotOf, type Window, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { expectConsistency } from "./consistency.ts";
import { describeDuel, type Move } from "./duel.ts";
import { connectionsFor } from "./rivals.ts";

const OUTSIDE = "400 Claim times must be within the availability window";
const UPDATE_REFUSED = "400 Cannot update a claimed availability";

const building = useArena(connectionsFor(4));
let owner: Person;
let spot: Spot;
let claimer: Person;
beforeAll(async () => {
  owner = await building.resident();
  spot = await spotOf(owner);
  claimer = await building.resident();
});
afterEach(() => expectConsistency(building));

let from = 0;
/** A window of eight hours that begins at the hour `from`, with room around it. */
const nextWindow = (): Promise<Window> => {
  from += 40;
  return windowOf(owner, spot, from, from + 8);
};

const claimOf = ({ id, start_time, end_time }: Window): Move => ({
  person: claimer,
  operation: "create_claim",
  values: { availability_id: id, start_time, end_time },
});

/** The owner gives the window other times while somebody claims it as it was. */
const changed = (times: () => Readonly<Record<string, string>>) => async () => {
  const window = await nextWindow();
  const values = { id: window.id, ...times() };
  return [{ person: owner, operation: "update_availability", values }, claimOf(window)] as const;
};

describeDuel("a window shortened at its end while it is claimed", () => building, {
  names: ["the owner", "the claim"],
  moves: changed(() => ({ end_time: hours(from + 7) })),
  first: ["200", "201"],
  after: [UPDATE_REFUSED, OUTSIDE],
});

describeDuel("a window shortened at its start while it is claimed", () => building, {
  names: ["the owner", "the claim"],
  moves: changed(() => ({ start_time: hours(from + 1) })),
  first: ["200", "201"],
  after: [UPDATE_REFUSED, OUTSIDE],
});

describeDuel("a window moved away while it is claimed", () => building, {
  names: ["the owner", "the claim"],
  moves: changed(() => ({ start_time: hours(from + 20), end_time: hours(from + 28) })),
  first: ["200", "201"],
  after: [UPDATE_REFUSED, OUTSIDE],
});

describeDuel("a window lengthened while it is claimed", () => building, {
  names: ["the owner", "the claim"],
  moves: changed(() => ({ end_time: hours(from + 9) })),
  first: ["200", "201"],
  after: [UPDATE_REFUSED, "201"],
});

describeDuel("a window deleted while it is claimed", () => building, {
  names: ["the owner", "the claim"],
  moves: async () => {
    const window = await nextWindow();
    return [
      { person: owner, operation: "delete_availability", values: { id: window.id } },
      claimOf(window),
    ];
  },
  first: ["200", "201"],
  after: ["400 Cannot delete a claimed availability", "404 Availability not found"],
});
