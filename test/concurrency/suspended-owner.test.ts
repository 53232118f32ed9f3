import { afterEach, beforeAll } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import { spotOf, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { expectConsistency } from "./consistency.ts";
import { describeDuel } from "./duel.ts";
import { connectionsFor } from "./rivals.ts";

const building = useArena(connectionsFor(2));
let administrator: Person;
beforeAll(async () => {
  administrator = await building.administrator();
});
afterEach(() => expectConsistency(building));

// An administrator sees the window of a suspended owner, so the refusal names the rule.
describeDuel("the suspension of an owner and a claim of the owner's window", () => building, {
  names: ["suspending", "claiming"],
  moves: async () => {
    const owner = await building.resident();
    const window = await windowOf(owner, await spotOf(owner));
    const { id, start_time, end_time } = window;
    return [
      {
        person: administrator,
        operation: "update_profile_flags",
        values: { id: owner.id, is_approved: false },
      },
      {
        person: administrator,
        operation: "create_claim",
        values: { availability_id: id, start_time, end_time },
      },
    ];
  },
  first: ["200", "201"],
  after: ["200", "403 The owner of this parking spot is not approved"],
});
