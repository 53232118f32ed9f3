import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import { claimOf, hours, type Spot, spotOf, useBuilding, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { eventsOf } from "../support/rows.ts";

const building = useBuilding();
let owner: Person;
let claimer: Person;
beforeAll(async () => {
  owner = await building.resident();
  claimer = await building.resident();
});

/** The number of rows of a spot: itself, its windows and their claims. */
const remainsOf = async ({ id }: Spot) => {
  const [counts] = await building.rows(
    `select
       (select count(*)::int from parking.spots where id = $1) as spots,
       (select count(*)::int from parking.availabilities where spot_id = $1) as windows,
       (select count(*)::int from parking.claims where spot_id = $1) as claims`,
    [id],
  );
  return counts;
};

const closedClaim = async (spot: Spot, status: string) => {
  const claim = await claimOf(claimer, await windowOf(owner, spot));
  await claimer.put(`/claims/${claim.id}`, { status }, 200);
  return claim;
};

describe("DELETE /parking-spots/{id}", () => {
  it("removes the spot and its windows", async () => {
    const spot = await spotOf(owner);
    const window = await windowOf(owner, spot);

    expect(answerOf(await owner.delete(`/parking-spots/${spot.id}`))).toEqual({
      status: 200,
      body: { message: expect.any(String), deleted_spot_id: spot.id },
    });
    expect(await remainsOf(spot)).toEqual({ spots: 0, windows: 0, claims: 0 });
    expect(answerOf(await owner.get(`/parking-spots/${spot.id}`))).toEqual(
      refusal(404, "Parking spot not found"),
    );
    expect(await eventsOf(building, window.id)).toEqual([
      { type: "availability.created", actor_id: owner.id },
      { type: "availability.deleted", actor_id: owner.id },
    ]);
  });

  it("leaves the spot in the event log as it was", async () => {
    const spot = await spotOf(owner);

    await owner.delete(`/parking-spots/${spot.id}`, 200);

    expect(
      await building.rows(
        "select type, private.event_data(type, data) as data from private.events where subject_id = $1 order by id",
        [spot.id],
      ),
    ).toEqual([
      { type: "spot.registered", data: spot },
      { type: "spot.deleted", data: spot },
    ]);
  });

  it("frees its number", async () => {
    const { id, spot_number, building_section } = await spotOf(owner);

    await owner.delete(`/parking-spots/${id}`, 200);

    await claimer.post("/parking-spots", { spot_number, building_section }, 201);
  });

  it.each(["completed", "cancelled"])("deletes %s claims with it", async (status) => {
    const spot = await spotOf(owner);
    const claim = await closedClaim(spot, status);

    await owner.delete(`/parking-spots/${spot.id}`, 200);

    expect(await remainsOf(spot)).toEqual({ spots: 0, windows: 0, claims: 0 });
    expect(await eventsOf(building, claim.id)).toEqual([
      { type: "claim.submitted", actor_id: claimer.id },
      { type: `claim.${status}`, actor_id: claimer.id },
      { type: "claim.deleted", actor_id: owner.id },
    ]);
  });

  it("is refused with an active claim on it, and changes nothing", async () => {
    const spot = await spotOf(owner);
    await closedClaim(spot, "completed");
    await claimOf(claimer, await windowOf(owner, spot, 10, 12));

    const answer = await owner.delete(`/parking-spots/${spot.id}`);

    expect(answerOf(answer)).toEqual(
      refusal(409, "Cannot delete a parking spot with active claims"),
    );
    expect(await remainsOf(spot)).toEqual({ spots: 1, windows: 2, claims: 2 });
  });

  it("is not affected by active claims on another spot", async () => {
    const [spot, other] = [await spotOf(owner), await spotOf(owner)];
    await claimOf(claimer, await windowOf(owner, other));

    await owner.delete(`/parking-spots/${spot.id}`, 200);

    expect(await remainsOf(other)).toEqual({ spots: 1, windows: 1, claims: 1 });
  });

  it.each([
    ["a neighbour", () => building.resident()],
    ["an administrator", () => building.administrator()],
  ])("is refused to %s", async (_case, someone) => {
    const spot = await spotOf(owner);

    const answer = await (await someone()).delete(`/parking-spots/${spot.id}`);

    expect(answerOf(answer)).toEqual(refusal(403, "You can only delete your own parking spots"));
    expect(await remainsOf(spot)).toMatchObject({ spots: 1 });
  });

  it("answers 404 for an unknown id", async () => {
    const answer = await owner.delete(`/parking-spots/${randomUUID()}`);

    expect(answerOf(answer)).toEqual(refusal(404, "Parking spot not found"));
  });

  it("succeeds once", async () => {
    const { id } = await spotOf(owner);
    await owner.delete(`/parking-spots/${id}`, 200);

    expect(answerOf(await owner.delete(`/parking-spots/${id}`))).toEqual(
      refusal(404, "Parking spot not found"),
    );
  });
});

describe("a claim on a spot that is gone", () => {
  it("is not found, and cannot be made again", async () => {
    const spot = await spotOf(owner);
    const window = await windowOf(owner, spot);
    await owner.delete(`/parking-spots/${spot.id}`, 200);

    const answer = await claimer.post("/claims", {
      availability_id: window.id,
      start_time: hours(1),
      end_time: hours(2),
    });

    expect(answerOf(answer)).toEqual(refusal(404, "Availability not found"));
  });
});
