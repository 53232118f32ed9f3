import { beforeAll, describe, expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import { holding, offer, useBuilding, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { stored } from "../support/rows.ts";

const building = useBuilding();
let administrator: Person;
beforeAll(async () => {
  administrator = await building.administrator();
});

const setApproved = (person: Person, is_approved: boolean) =>
  administrator.put(`/admin/profiles/${person.id}`, { is_approved }, 200);

const windowsSeenBy = async (person: Person, query: string): Promise<readonly string[]> => {
  const { body } = await person.get<{ availabilities: { id: string }[] }>(
    `/availabilities?${query}`,
    200,
  );
  return body.availabilities.map(({ id }) => id);
};

describe("a completed claim whose spot is deleted", () => {
  it("stays as it was, and its claimer is notified where it would last", async () => {
    const { owner, claimer, spot, claim } = await holding(building);
    await claimer.put(`/claims/${claim.id}`, { status: "completed" }, 200);

    await owner.delete(`/parking-spots/${spot.id}`, 200);

    expect(await stored(building, "claims", claim.id)).toMatchObject({ status: "completed" });
    const { body } = await claimer.get("/notifications", 200);
    expect(body).toMatchObject({
      total: 1,
      notifications: [
        {
          kind: "spot.deleted",
          message: `Parking spot ${spot.spot_number}, which you had claimed, was deleted`,
          spot_id: spot.id,
        },
      ],
    });
  });
});

describe("the windows of an owner who is no longer approved", () => {
  it("are not listed and cannot be claimed", async () => {
    const { owner, claimer, window } = await offer(building);
    const { id, start_time, end_time } = window;
    const claim = { availability_id: id, start_time, end_time };
    await setApproved(owner, false);

    expect(await windowsSeenBy(claimer, `owner_id=${owner.id}`)).toEqual([]);
    expect(answerOf(await claimer.get(`/availabilities/${id}`))).toEqual(
      refusal(404, "Availability not found"),
    );
    expect(answerOf(await claimer.post("/claims", claim))).toEqual(
      refusal(404, "Availability not found"),
    );

    await setApproved(owner, true);
    expect(await windowsSeenBy(claimer, `owner_id=${owner.id}`)).toEqual([id]);
    await claimer.post("/claims", claim, 201);
  });

  it("are still seen by those who have claimed them", async () => {
    const { owner, claimer, spot, window } = await holding(building);
    await windowOf(owner, spot, 10, 12);
    await setApproved(owner, false);
    expect(await windowsSeenBy(claimer, `owner_id=${owner.id}`)).toEqual([window.id]);
  });
});
