import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import { claimOf, holding, offer, spotOf, useBuilding, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { backdateCreation, eventsOf, longAgo } from "../support/rows.ts";

const building = useBuilding();
const administrator = building.shared("administrator");
const resident = building.shared("resident");

const REASON = "The garage is being repaired";
const reason = `reason=${encodeURIComponent(REASON)}`;
const cancellation = { status: "cancelled", reason: REASON };

interface Note {
  readonly kind: string;
  readonly message: string;
}
const newsOf = async (person: Person): Promise<readonly Note[]> =>
  (await person.get<{ notifications: Note[] }>("/notifications", 200)).body.notifications;
/** The notifications of somebody who may not be approved, the first first. */
const stored = ({ id }: Person) =>
  building.rows(
    "select kind, message, data from parking.notifications where recipient_id = $1 order by id",
    [id],
  );

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

interface Profile {
  readonly is_approved: boolean;
  readonly is_admin: boolean;
  readonly rejection_reason?: string;
}
const profilesPath = ({ id }: Person) => `/admin/profiles/${id}`;
const change = async (person: Person, body: object) =>
  (await administrator.put<{ profile: Profile }>(profilesPath(person), body, 200)).body.profile;
const own = async (person: Person) =>
  (await person.get<{ profile: Profile }>("/profile", 200)).body.profile;
const lastEventOf = async ({ id }: { readonly id: string }) =>
  (await eventsOf(building, id)).at(-1);

describe("PUT /admin/profiles/{id}", () => {
  it("approves an account, which may then use the service", async () => {
    const person = await building.unapproved();
    await backdateCreation(building, "profiles", person);
    const before = await administrator.get<{ profile: Profile }>(profilesPath(person), 200);
    expect(before.body.profile).toMatchObject({ id: person.id, email: person.email });

    expect(await change(person, { is_approved: true })).toEqual({
      ...before.body.profile,
      is_approved: true,
      updated_at: expect.not.stringMatching(longAgo),
    });
    expect(await lastEventOf(person)).toEqual({
      type: "profile.approved",
      actor_id: administrator.id,
    });
    await person.get("/dashboard", 200);
  });

  it("makes an administrator, who then may do the same", async () => {
    const person = await building.resident();
    expect(await change(person, { is_admin: true })).toMatchObject({ is_admin: true });
    await person.put(profilesPath(person), { is_admin: false }, 200);
    expect(answerOf(await person.get("/admin/profiles"))).toEqual(
      refusal(403, "Administrator privileges required"),
    );
  });

  it("rejects with a reason, which the person reads in their profile and in a mail", async () => {
    const person = await building.unapproved();
    const rejection_reason = "Nobody of this name lives in 1A";
    expect(await own(person)).not.toHaveProperty("rejection_reason");
    await change(person, { rejection_reason });
    expect(await own(person)).toMatchObject({ is_approved: false, rejection_reason });
    expect(await stored(person)).toEqual([
      {
        kind: "profile.rejected",
        message: `Your account was not approved. Reason: ${rejection_reason}`,
        data: { reason: rejection_reason },
      },
    ]);
    expect(await lastEventOf(person)).toEqual({
      type: "profile.rejected",
      actor_id: administrator.id,
    });
  });
});

it("PUT /admin/parking-spots/{id} verifies a spot, and takes that back", async () => {
  const spot = await spotOf(resident);
  for (const is_verified of [true, false]) {
    const path = `/admin/parking-spots/${spot.id}`;
    const { body } = await administrator.put(path, { is_verified }, 200);
    expect(body).toEqual({ spot: { ...spot, is_verified, updated_at: expect.any(String) } });
    expect((await resident.get(`/parking-spots/${spot.id}`, 200)).body).toEqual(body);
  }
});

describe("a registration", () => {
  let second: Person;
  beforeAll(async () => {
    second = await building.administrator();
  });
  beforeEach(() => building.rows("delete from parking.notifications"));

  const register = async () =>
    (await building.newcomer()).post("/profile", { apartment_number: "1A" }, 201);

  it("is one notification for each administrator, which counts, however many register", async () => {
    await Promise.all(Array.from(Array(5), register));
    const [waiting] = await building.rows<{ count: number }>(
      "select count(*)::integer as count from private.waiting_people",
    );
    const message = "Somebody waits for approval";
    for (const person of [administrator, second])
      expect(await stored(person)).toEqual([{ kind: "profiles.waiting", message, data: waiting }]);
    const events = await building.rows(
      `select from private.events e
        where e.type = 'notification.created'
          and e.subject_id in (select n.id from parking.notifications n)`,
    );
    expect(events).toHaveLength(2);
  });

  it("is another one after the first was read", async () => {
    await register();
    await building.rows("update parking.notifications set is_read = true");
    await register();
    expect(await stored(administrator)).toHaveLength(2);
  });

  it("is none where an invitation approves", async () => {
    const person = await building.newcomer();
    const invitation = { email: person.email, apartment_number: "2B" };
    await administrator.post("/admin/invitations", { invitations: [invitation] }, 201);
    await person.post("/profile", { apartment_number: "2B" }, 201);
    expect(await stored(second)).toEqual([]);
  });
});
