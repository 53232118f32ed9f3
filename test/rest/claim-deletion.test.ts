import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import { type Claim, claimOf, spotOf, useBuilding, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { isClaimed } from "../support/rows.ts";

const building = useBuilding();
let owner: Person;
let claimer: Person;
let rival: Person;
beforeAll(async () => {
  owner = await building.resident();
  claimer = await building.resident();
  rival = await building.resident();
});

const freshWindow = async () => windowOf(owner, await spotOf(owner));

/** A claim that was active at first, and then got this status. */
async function freshClaim(status = "active"): Promise<Claim> {
  const { id } = await claimOf(claimer, await freshWindow());
  const { body } = await claimer.put<{ claim: Claim }>(`/claims/${id}`, { status }, 200);
  return body.claim;
}

/** Claims the times of an earlier claim. */
const claimAgain = async (person: Person, earlier: Claim): Promise<Claim> => {
  const { availability_id, start_time, end_time } = earlier;
  const { body } = await person.post<{ claim: Claim }>(
    "/claims",
    { availability_id, start_time, end_time },
    201,
  );
  return body.claim;
};

const statusOf = async ({ id }: Claim) => {
  const [claim] = await building.rows<{ status: string }>(
    "select status from parking.claims where id = $1",
    [id],
  );
  return claim?.status;
};

const notificationsOf = ({ id }: Claim) =>
  building.rows(
    `select recipient_id, kind, resolved_at is not null as resolved
       from parking.notifications
      where claim_id = $1
      order by id`,
    [id],
  );

describe("DELETE /claims/{id}", () => {
  it("removes an active claim and reports it as cancelled", async () => {
    const claim = await freshClaim();

    expect(answerOf(await claimer.delete(`/claims/${claim.id}`))).toEqual({
      status: 200,
      body: { message: expect.stringContaining("cancelled"), deleted_claim_id: claim.id },
    });
    expect(await statusOf(claim)).toBeUndefined();
    expect(answerOf(await claimer.get(`/claims/${claim.id}`))).toEqual(
      refusal(404, "Claim not found"),
    );
  });

  it("makes the window claimable again", async () => {
    const claim = await freshClaim();

    await claimer.delete(`/claims/${claim.id}`, 200);

    expect(await isClaimed(building, claim.availability_id)).toBe(false);
    expect(await claimAgain(rival, claim)).toMatchObject({ status: "active" });
  });

  it("notifies the owner, and resolves the earlier notification", async () => {
    const claim = await freshClaim();

    await claimer.delete(`/claims/${claim.id}`, 200);

    expect(await notificationsOf(claim)).toEqual([
      { recipient_id: owner.id, kind: "claim.submitted", resolved: true },
      { recipient_id: owner.id, kind: "claim.deleted", resolved: false },
    ]);
  });

  it("leaves the claim in the event log as it was", async () => {
    const claim = await freshClaim();

    await claimer.delete(`/claims/${claim.id}`, 200);

    expect(
      await building.rows(
        "select type, actor_id, private.event_data(type, data) as data from private.events where subject_id = $1 order by id",
        [claim.id],
      ),
    ).toEqual([
      { type: "claim.submitted", actor_id: claimer.id, data: claim },
      { type: "claim.deleted", actor_id: claimer.id, data: claim },
    ]);
  });

  it("removes a cancelled claim, and resolves the notification of its cancellation", async () => {
    const claim = await freshClaim("cancelled");

    await claimer.delete(`/claims/${claim.id}`, 200);

    expect(await statusOf(claim)).toBeUndefined();
    expect(await isClaimed(building, claim.availability_id)).toBe(false);
    expect(await notificationsOf(claim)).toEqual([
      { recipient_id: owner.id, kind: "claim.submitted", resolved: true },
      { recipient_id: owner.id, kind: "claim.cancelled", resolved: true },
      { recipient_id: owner.id, kind: "claim.deleted", resolved: false },
    ]);
  });

  it("does not free a window that another resident claimed after the cancellation", async () => {
    const cancelled = await freshClaim("cancelled");
    const current = await claimAgain(rival, cancelled);

    await claimer.delete(`/claims/${cancelled.id}`, 200);

    expect(await isClaimed(building, current.availability_id)).toBe(true);
    expect(await statusOf(current)).toBe("active");
    expect(await notificationsOf(current)).toMatchObject([
      { kind: "claim.submitted", resolved: false },
    ]);
  });

  it("refuses a completed claim, which stays with its window claimed", async () => {
    const claim = await freshClaim("completed");

    expect(answerOf(await claimer.delete(`/claims/${claim.id}`))).toEqual(
      refusal(400, "Cannot delete a completed claim"),
    );
    expect(await statusOf(claim)).toBe("completed");
    expect(await isClaimed(building, claim.availability_id)).toBe(true);
    expect(await notificationsOf(claim)).toMatchObject([{ resolved: false }, { resolved: false }]);
  });

  it.each([
    ["a stranger", () => rival],
    ["the owner of the spot", () => owner],
    ["an administrator", () => building.administrator()],
  ])("is refused to %s", async (_case, someone) => {
    const claim = await freshClaim();

    expect(answerOf(await (await someone()).delete(`/claims/${claim.id}`))).toEqual(
      refusal(403, "You can only delete your own claims"),
    );
    expect(await statusOf(claim)).toBe("active");
    expect(await isClaimed(building, claim.availability_id)).toBe(true);
  });

  it("answers 404 for an unknown id", async () => {
    expect(answerOf(await claimer.delete(`/claims/${randomUUID()}`))).toEqual(
      refusal(404, "Claim not found"),
    );
  });

  it("succeeds once", async () => {
    const { id } = await freshClaim();
    await claimer.delete(`/claims/${id}`, 200);

    expect(answerOf(await claimer.delete(`/claims/${id}`))).toEqual(
      refusal(404, "Claim not found"),
    );
  });
});
