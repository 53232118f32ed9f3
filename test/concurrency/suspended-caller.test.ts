import { describe, expect, it } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import { holding, spotOf } from "../support/building.ts";
import { patternOf, threeDays } from "../support/patterns.ts";
import type { Answer, Failure, Person } from "../support/person.ts";
import { suspend } from "../support/rows.ts";
import { withTransactionOf } from "../support/sql.ts";
import { untilWaiting } from "../support/waiting.ts";
import { outcomeOf } from "./rivals.ts";

const building = useArena(2);

/** What the claimer does, who must not read that the claim is of somebody else. */
const changes: Readonly<
  Record<string, (claimer: Person, path: string) => Promise<Answer<Failure>>>
> = {
  "completes it": (claimer, path) => claimer.put(path, { status: "completed" }),
  "sends no change": (claimer, path) => claimer.put(path, {}),
  "deletes it": (claimer, path) => claimer.delete(path),
};

describe("a claimer who is suspended while the change of a claim waits", () => {
  it.each(Object.entries(changes))("and %s is refused as not approved", async (_name, change) => {
    const { claimer, claim } = await holding(building);
    await withTransactionOf(building.superuser, async (client) => {
      await client.query("lock table parking.claims in access exclusive mode");
      const outcome = outcomeOf(change(claimer, `/claims/${claim.id}`));
      await untilWaiting(building, 1);
      await suspend(building, claimer);
      await client.query("commit");
      expect(await outcome).toBe("403 Account not approved");
    });
  });
});

describe("an owner who is suspended while the windows of a pattern are being published", () => {
  it("is refused a new one as not approved", async () => {
    const owner = await building.resident();
    const body = threeDays(await spotOf(owner));
    await withTransactionOf(building.superuser, async (client) => {
      await client.query("lock table parking.availabilities in access exclusive mode");
      const outcome = outcomeOf(owner.post("/patterns", body));
      await untilWaiting(building, 1);
      await suspend(building, owner);
      await client.query("commit");
      expect(await outcome).toBe("403 Account not approved");
    });
  });

  it("changes one before, for the suspension waits", async () => {
    const owner = await building.resident();
    const { id } = await patternOf(owner, threeDays(await spotOf(owner)));
    await withTransactionOf(building.superuser, async (client) => {
      await client.query("lock table parking.availabilities in access exclusive mode");
      const outcome = outcomeOf(owner.put(`/patterns/${id}`, { ends_at: "17:00" }));
      await untilWaiting(building, 1);
      const suspension = suspend(building, owner);
      await untilWaiting(building, 2);
      await client.query("commit");
      expect(await outcome).toBe("200");
      await suspension;
    });
  });
});
