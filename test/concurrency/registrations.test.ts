import { afterEach, describe, expect, it } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import { expectConsistency } from "./consistency.ts";
import { describeDuels } from "./duel.ts";
import { connectionsFor } from "./rivals.ts";
import { withTransaction } from "./transaction.ts";

const REGISTERED = "409 User profile already exists";

const building = useArena(connectionsFor(16));
afterEach(() => expectConsistency(building));

const waiting = "select count(*)::integer as count from private.waiting_people";

describeDuels(() => building, { registered: REGISTERED }, [
  [
    "a person registers twice",
    "201 201, registered registered",
    async () => {
      const person = await building.newcomer();
      const move = { person, operation: "create_profile", values: { apartment_number: "7C" } };
      return [move, move];
    },
  ],
]);

describe("two people who were rejected and ask again at once", () => {
  it("are one notification for each administrator, which counts both", async () => {
    const administrator = await building.administrator();
    const [one, other] = [await building.unapproved(), await building.unapproved()];
    for (const { id } of [one, other]) {
      await administrator.put(`/admin/profiles/${id}`, { rejection_reason: "Who is it?" }, 200);
    }
    const [before] = await building.rows<{ count: number }>(waiting);

    await withTransaction(building, one, (first) =>
      withTransaction(building, other, async (second) => {
        await first.call("update_profile", { full_name: "Ada" });
        await first.doDeferred();
        await second.call("update_profile", { full_name: "Zoe" });
        const ending = second.end("commit");
        await Promise.race([ending, first.isWaitedFor()]);
        await first.end("commit");
        await ending;
      }),
    );

    expect(
      await building.rows(
        "select data from parking.notifications where recipient_id = $1 and kind = 'profiles.waiting'",
        [administrator.id],
      ),
    ).toEqual([{ data: { count: (before?.count ?? Number.NaN) + 2 } }]);
  });
});
