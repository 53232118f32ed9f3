import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import { claimOf, spotOf, useBuilding, type Window, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { isClaimed } from "../support/rows.ts";

const building = useBuilding();
let owner: Person;
let neighbour: Person;
beforeAll(async () => {
  owner = await building.resident();
  neighbour = await building.resident();
});

const freshWindow = async (): Promise<Window> => windowOf(owner, await spotOf(owner));

/** A window whose claim was active at first, and then got this status. */
const claimedWindow = async (status: string) => {
  const window = await freshWindow();
  const claim = await claimOf(neighbour, window);
  await neighbour.put(`/claims/${claim.id}`, { status }, 200);
  return { window, claim };
};

describe("DELETE /availabilities/{id}", () => {
  it("removes the window, which the event log keeps as it was", async () => {
    const window = await freshWindow();

    expect(answerOf(await owner.delete(`/availabilities/${window.id}`))).toEqual({
      status: 200,
      body: { message: expect.any(String), deleted_availability_id: window.id },
    });
    expect(await isClaimed(building, window.id)).toBeUndefined();
    expect(
      await building.rows(
        "select type, private.event_data(type, data) as data from private.events where subject_id = $1 order by id",
        [window.id],
      ),
    ).toEqual([
      { type: "availability.created", data: window },
      { type: "availability.deleted", data: window },
    ]);
  });

  it("leaves the spot and its other windows", async () => {
    const spot = await spotOf(owner);
    const [first, second] = [
      await windowOf(owner, spot, 10, 20),
      await windowOf(owner, spot, 20, 30),
    ];

    await owner.delete(`/availabilities/${first.id}`, 200);

    expect(await isClaimed(building, second.id)).toBe(false);
    await owner.get(`/parking-spots/${spot.id}`, 200);
  });

  it.each(["active", "completed"])("refuses a window whose claim is %s", async (status) => {
    const { window } = await claimedWindow(status);

    expect(answerOf(await owner.delete(`/availabilities/${window.id}`))).toEqual(
      refusal(400, "Cannot delete a claimed availability"),
    );
    expect(await isClaimed(building, window.id)).toBe(true);
  });

  it("keeps cancelled claims of it", async () => {
    const { window, claim } = await claimedWindow("cancelled");

    await owner.delete(`/availabilities/${window.id}`, 200);

    const rows = await building.rows("select availability_id from parking.claims where id = $1", [
      claim.id,
    ]);
    expect(rows).toEqual([{ availability_id: window.id }]);
  });

  it.each([
    ["a neighbour", async () => neighbour],
    ["an administrator", () => building.administrator()],
  ])("is refused to %s", async (_case, someone) => {
    const window = await freshWindow();

    expect(answerOf(await (await someone()).delete(`/availabilities/${window.id}`))).toEqual(
      refusal(403, "You can only delete availabilities for your own spots"),
    );
    expect(await isClaimed(building, window.id)).toBe(false);
  });

  it("answers 404 for an unknown id", async () => {
    expect(answerOf(await owner.delete(`/availabilities/${randomUUID()}`))).toEqual(
      refusal(404, "Availability not found"),
    );
  });
});
