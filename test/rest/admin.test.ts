import { beforeAll, describe, expect, it } from "@jest/globals";
import { answerOf, formatsOf, refusal } from "../support/answers.ts";
import { type Spot, spotOf, useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { backdateCreation, eventsOf, longAgo } from "../support/rows.ts";

interface Profile {
  readonly id: string;
  readonly is_approved: boolean;
  readonly is_admin: boolean;
  readonly updated_at: string;
}

const building = useBuilding();
let administrator: Person;
let resident: Person;
beforeAll(async () => {
  administrator = await building.administrator();
  resident = await building.resident();
});

const flagsOf = async ({ id }: Person) => {
  const [flags] = await building.rows(
    "select is_approved, is_admin from parking.profiles where id = $1",
    [id],
  );
  return flags;
};

const isVerified = async ({ id }: Spot) => {
  const [spot] = await building.rows<{ is_verified: boolean }>(
    "select is_verified from parking.spots where id = $1",
    [id],
  );
  return spot?.is_verified;
};

/** A profile that was last updated long ago. */
const oldProfile = async (person: Person): Promise<Profile> => {
  await backdateCreation(building, "profiles", person);
  const path = `/admin/profiles/${person.id}`;
  return (await administrator.get<{ profile: Profile }>(path, 200)).body.profile;
};

const privilegesRequired = refusal(403, "Administrator privileges required");

describe("GET /admin/profiles/{id}", () => {
  it("shows any profile, with exactly the fields of Profile", async () => {
    const { body } = await administrator.get<{ profile: Profile }>(
      `/admin/profiles/${resident.id}`,
      200,
    );

    expect(Object.keys(body)).toEqual(["profile"]);
    expect(body.profile).toMatchObject({ id: resident.id, email: resident.email });
    expect(formatsOf(body.profile)).toEqual({
      id: "uuid",
      email: "text",
      full_name: "null",
      apartment_number: "text",
      phone_number: "null",
      is_approved: "boolean",
      is_admin: "boolean",
      created_at: "time",
      updated_at: "time",
    });
  });
});

describe("PUT /admin/profiles/{id}", () => {
  it("approves an account, which may then use the service", async () => {
    const person = await building.unapproved();
    const before = await oldProfile(person);

    const { status, body } = await administrator.put<{ profile: Profile }>(
      `/admin/profiles/${person.id}`,
      { is_approved: true },
    );

    expect(status).toBe(200);
    expect(body).toEqual({
      profile: {
        ...before,
        is_approved: true,
        updated_at: expect.not.stringMatching(longAgo),
      },
    });
    expect(await flagsOf(person)).toEqual({ is_approved: true, is_admin: false });
    expect((await eventsOf(building, person.id)).at(-1)).toEqual({
      type: "profile.approved",
      actor_id: administrator.id,
    });
    await person.get("/dashboard", 200);
  });

  it("makes an administrator, who then may do the same", async () => {
    const person = await building.resident();

    await administrator.put(`/admin/profiles/${person.id}`, { is_admin: true }, 200);

    expect(await flagsOf(person)).toEqual({ is_approved: true, is_admin: true });
    await person.put(`/admin/profiles/${person.id}`, { is_admin: false }, 200);
    expect(answerOf(await person.get("/admin/profiles"))).toEqual(privilegesRequired);
  });
});

describe("PUT /admin/parking-spots/{id}", () => {
  it("verifies a spot, and takes that back", async () => {
    const spot = await spotOf(resident);

    for (const is_verified of [true, false]) {
      const { body } = await administrator.put<{ spot: Spot }>(
        `/admin/parking-spots/${spot.id}`,
        { is_verified },
        200,
      );
      expect(body).toEqual({ spot: { ...spot, is_verified, updated_at: expect.any(String) } });
      expect(await isVerified(spot)).toBe(is_verified);
    }
    expect(await eventsOf(building, spot.id)).toEqual([
      { type: "spot.registered", actor_id: resident.id },
      { type: "spot.verified", actor_id: administrator.id },
      { type: "spot.updated", actor_id: administrator.id },
    ]);
  });
});
