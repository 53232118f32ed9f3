import { beforeAll, describe, expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import { claimOf, holding, offer, useBuilding, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { eventsOf } from "../support/rows.ts";

const building = useBuilding();
let administrator: Person;
beforeAll(async () => {
  administrator = await building.administrator();
});

const REASON = "The garage is being repaired";
const reason = `reason=${encodeURIComponent(REASON)}`;
const cancellation = { status: "cancelled", reason: REASON };

interface Note {
  readonly kind: string;
  readonly message: string;
}
const newsOf = async (person: Person): Promise<readonly Note[]> =>
  (await person.get<{ notifications: Note[] }>("/notifications", 200)).body.notifications;

describe("PUT /admin/claims/{id}", () => {
  it("cancels the claim of another, and notifies both sides with the reason", async () => {
    const { owner, claimer, spot, window, claim } = await holding(building);

    const { body } = await administrator.put<{ claim: { status: string } }>(
      `/admin/claims/${claim.id}`,
      cancellation,
      200,
    );

    expect(body.claim).toMatchObject({
      ...claim,
      status: "cancelled",
      updated_at: expect.anything(),
    });
    const read = await owner.get(`/availabilities/${window.id}`, 200);
    expect(read.body).toMatchObject({ availability: { is_claimed: false } });
    expect((await newsOf(owner))[0]).toMatchObject({
      kind: "claim.cancelled",
      message: expect.stringMatching(
        `^The claim of your parking spot ${spot.spot_number} from .* UTC was cancelled\\. Reason: ${REASON}$`,
      ),
    });
    expect(await newsOf(claimer)).toMatchObject([
      {
        kind: "claim.cancelled",
        message: expect.stringMatching(
          `^Your claim of parking spot ${spot.spot_number} from .* UTC was cancelled\\. Reason: ${REASON}$`,
        ),
        claim_id: claim.id,
      },
    ]);
    const [event] = await building.rows(
      "select type, actor_id, reason from private.events where subject_id = $1 order by id desc limit 1",
      [claim.id],
    );
    expect(event).toEqual({
      type: "claim.cancelled",
      actor_id: administrator.id,
      reason: REASON,
    });
  });

  it("frees the window of a claim that was completed before its end, and notifies both sides", async () => {
    const { owner, claimer, window, claim } = await holding(building);
    await claimer.put(`/claims/${claim.id}`, { status: "completed" }, 200);

    const { body } = await administrator.put(`/admin/claims/${claim.id}`, cancellation, 200);

    expect(body).toMatchObject({ claim: { id: claim.id, status: "cancelled" } });
    for (const person of [owner, claimer]) {
      expect((await newsOf(person))[0]).toMatchObject({
        kind: "claim.cancelled",
        message: expect.stringMatching(`was cancelled\\. Reason: ${REASON}$`),
      });
    }
    expect((await eventsOf(building, claim.id)).at(-1)).toEqual({
      type: "claim.cancelled",
      actor_id: administrator.id,
    });
    await claimOf(await building.resident(), window);
  });
});

describe("DELETE /admin/parking-spots/{id}", () => {
  it("removes the spot as its owner would, and notifies the owner and the claimers", async () => {
    const { owner, claimer, spot, window, claim } = await holding(building);
    await claimer.put(`/claims/${claim.id}`, { status: "completed" }, 200);
    const second = await claimOf(claimer, await windowOf(owner, spot, 10, 12));
    await claimer.put(`/claims/${second.id}`, { status: "completed" }, 200);

    expect(
      answerOf(await administrator.delete(`/admin/parking-spots/${spot.id}?${reason}`, 200)).body,
    ).toEqual({ message: expect.any(String), deleted_spot_id: spot.id });

    expect(answerOf(await owner.get(`/parking-spots/${spot.id}`))).toEqual(
      refusal(404, "Parking spot not found"),
    );
    expect((await newsOf(owner))[0]).toMatchObject({
      kind: "spot.deleted",
      message: `Your parking spot ${spot.spot_number} was deleted. Reason: ${REASON}`,
      spot_id: spot.id,
    });
    expect(await newsOf(claimer)).toMatchObject([
      {
        kind: "spot.deleted",
        message: `Parking spot ${spot.spot_number}, which you had claimed, was deleted. Reason: ${REASON}`,
      },
    ]);
    // It stays with its claim.
    expect(await eventsOf(building, window.id)).toMatchObject([{ type: "availability.created" }]);
  });
});

describe("DELETE /admin/availabilities/{id}", () => {
  it("removes the window as its owner would, and notifies the owner", async () => {
    const { owner, spot, window } = await offer(building);

    expect(
      answerOf(await administrator.delete(`/admin/availabilities/${window.id}?${reason}`, 200))
        .body,
    ).toEqual({ message: expect.any(String), deleted_availability_id: window.id });

    expect(await newsOf(owner)).toMatchObject([
      {
        kind: "availability.deleted",
        message: expect.stringMatching(
          `^Your window of parking spot ${spot.spot_number} from .* UTC was deleted\\. Reason: ${REASON}$`,
        ),
        availability_id: window.id,
        spot_id: spot.id,
      },
    ]);
  });

  it("notifies of the window alone, not of the claims on it that were cancelled", async () => {
    const { owner, claimer, window, claim } = await holding(building);
    await claimer.put(`/claims/${claim.id}`, { status: "cancelled" }, 200);
    const before = (await newsOf(owner)).length;

    await administrator.delete(`/admin/availabilities/${window.id}?${reason}`, 200);

    const news = await newsOf(owner);
    expect(news).toHaveLength(before + 1);
    expect(news[0]).toMatchObject({ kind: "availability.deleted" });
    expect(await newsOf(claimer)).toEqual([]);
    expect((await eventsOf(building, claim.id)).at(-1)).toMatchObject({ type: "claim.cancelled" });
  });
});
