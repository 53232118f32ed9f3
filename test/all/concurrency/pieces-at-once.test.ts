import { afterEach, beforeAll, expect, it } from "@jest/globals";
import { expectConsistency } from "../../concurrency/consistency.ts";
import { connectionsFor, outcomeOf } from "../../concurrency/rivals.ts";
import { claimPart, keepRest, piecesOf } from "../../rules/rest.ts";
import { useArena } from "../../support/arena.ts";
import { hours, spotOf, windowOf } from "../../support/building.ts";
import type { Person } from "../../support/person.ts";

const building = useArena(connectionsFor(6));
let owner: Person;
let first: Person;
let second: Person;
beforeAll(async () => {
  owner = await building.resident();
  first = await building.resident();
  second = await building.resident();
});
afterEach(() => expectConsistency(building));

const cancel = (person: Person, { id }: { readonly id: string }) =>
  outcomeOf(person.put(`/claims/${id}`, { status: "cancelled" }));

it("a piece from before the setting ended is claimed while its neighbour is given back", async () => {
  for (let round = 0; round < 10; round++) {
    await keepRest(building);
    const spot = await spotOf(owner);
    const window = await windowOf(owner, spot, 10, 30);
    const claim = await claimPart(first, window, 14, 16);
    await keepRest(building, false);
    const [, , rest] = await piecesOf(building, window);
    const times = { start_time: hours(17), end_time: hours(18) };
    const [ended] = await Promise.all([
      cancel(first, claim),
      second.post("/claims", { availability_id: rest?.id, ...times }, 201),
    ]);
    expect(ended).toBe("200");
  }
});
