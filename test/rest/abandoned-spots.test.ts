import { beforeAll, describe, expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import { holding, hours, offer, useBuilding, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { backdate, eventsOf, stored } from "../support/rows.ts";

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

describe("a claim that has ended without being closed", () => {
  it("does not keep its spot from being deleted, and is completed", async () => {
    const { owner, claimer, spot, window, claim } = await holding(building);
    await backdate(building, "availabilities", window, -5, -1);
    await backdate(building, "claims", claim, -5, -1);

    await owner.delete(`/parking-spots/${spot.id}`, 200);

    expect(await eventsOf(building, claim.id)).toEqual([
      { type: "claim.submitted", actor_id: claimer.id },
      { type: "claim.completed", actor_id: owner.id },
    ]);
  });
});

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

  it("are seen by administrators, who cannot claim them either", async () => {
    const { owner, window } = await offer(building);
    const { id, start_time, end_time } = window;
    await setApproved(owner, false);

    expect(await windowsSeenBy(administrator, `owner_id=${owner.id}`)).toEqual([id]);
    expect(
      answerOf(await administrator.post("/claims", { availability_id: id, start_time, end_time })),
    ).toEqual(refusal(403, "The owner of this parking spot is not approved"));
  });

  it("cannot be used for longer by those who have claimed them", async () => {
    const { owner, claimer, claim } = await holding(building);
    const path = `/claims/${claim.id}`;
    await claimer.put(path, { end_time: hours(4) }, 200);
    await setApproved(owner, false);

    expect(answerOf(await claimer.put(path, { end_time: claim.end_time }))).toEqual(
      refusal(403, "The owner of this parking spot is not approved"),
    );
    await claimer.put(path, { end_time: hours(3) }, 200);
    await claimer.put(path, { status: "cancelled" }, 200);
  });

  it("are still seen by those who have claimed them", async () => {
    const { owner, claimer, spot, window } = await holding(building);
    await windowOf(owner, spot, 10, 12);
    await setApproved(owner, false);
    expect(await windowsSeenBy(claimer, `owner_id=${owner.id}`)).toEqual([window.id]);
  });
});
