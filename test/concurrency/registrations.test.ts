import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import { spotOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { expectConsistency } from "./consistency.ts";
import { describeDuels, type Move } from "./duel.ts";
import { connectionsFor } from "./rivals.ts";
import { withTransaction } from "./transaction.ts";

const NUMBER_TAKEN = "409 A parking spot with this number already exists";
const REGISTERED = "409 User profile already exists";

const building = useArena(connectionsFor(16));
let residents: readonly [Person, Person];
beforeAll(async () => {
  residents = [await building.resident(), await building.resident()];
});
afterEach(() => expectConsistency(building));

const waiting = "select count(*)::integer as count from private.waiting_people";
const nextNumber = (): string => `C-${randomUUID().slice(0, 8)}`;

const register = (person: Person, spot_number: string): Move => ({
  person,
  operation: "create_spot",
  values: { spot_number, building_section: "North" },
});
const renumber = async (person: Person, spot_number: string): Promise<Move> => ({
  person,
  operation: "update_spot",
  values: { id: (await spotOf(person)).id, spot_number },
});

describeDuels(() => building, { taken: NUMBER_TAKEN, registered: REGISTERED }, [
  [
    "two residents register one spot number",
    "201 201, taken taken",
    async () => {
      const number = nextNumber();
      return [register(residents[0], number), register(residents[1], number.toLowerCase())];
    },
  ],
  [
    "two residents change to one spot number",
    "200 200, taken taken",
    async () => {
      const number = nextNumber();
      return [await renumber(residents[0], number), await renumber(residents[1], number)];
    },
  ],
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
