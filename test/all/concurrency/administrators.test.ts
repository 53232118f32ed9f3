import { expect, it } from "@jest/globals";
import { atOnce, connectionsFor, outcomeOf, tally } from "../../concurrency/rivals.ts";
import { useArena } from "../../support/arena.ts";
import { administratorsOf } from "../../support/rows.ts";

const building = useArena(connectionsFor(2));
const ROUNDS = 80;

it("two administrators who demote each other at one moment: one is refused, in each round", async () => {
  const third = await building.administrator();
  for (let round = 0; round < ROUNDS; round++) {
    const [ann, bob] = [await building.administrator(), await building.administrator()];
    const outcomes = await atOnce(building, [
      () => outcomeOf(ann.put(`/admin/profiles/${bob.id}`, { is_admin: false })),
      () => outcomeOf(bob.put(`/admin/profiles/${ann.id}`, { is_admin: false })),
    ]);
    expect(tally(outcomes)).toEqual({ "200": 1, "403 Administrator privileges required": 1 });
    const winner = outcomes[0] === "200" ? ann : bob;
    expect(await administratorsOf(building)).toEqual([third.id, winner.id].toSorted());
    await building.rows("update parking.profiles set is_admin = false where id = $1", [winner.id]);
  }
});
