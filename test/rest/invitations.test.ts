import { randomUUID } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { answerOf, complaint, malformed, refusal } from "../support/answers.ts";
import { spotOf, useBuilding } from "../support/building.ts";
import {
  type Account,
  askWith,
  invitationTo,
  invite,
  invited,
  newAddress,
  newNumber,
  registers,
  spotNumbered,
} from "../support/invitations.ts";

const building = useBuilding();
const administrator = building.shared("administrator");
const resident = building.shared("resident");

const inviting = async (...invitations: readonly object[]) =>
  answerOf(await invite(administrator, ...invitations));

const count = async (): Promise<number> => {
  const [row] = await building.rows<{ count: number }>(
    "select count(*)::int from parking.invitations",
  );
  return row?.count ?? -1;
};

const privilegesRequired = refusal(403, "Administrator privileges required");

describe("POST /admin/invitations", () => {
  it("invites people, and says how many", async () => {
    const [one, other] = [newAddress(), newAddress()];
    const numbers = [newNumber(), newNumber()];
    const answer = await invite(
      administrator,
      { email: ` ${one} `, apartment_number: "2B", full_name: "Maria Silva" },
      invited(other, ...numbers),
    );

    expect(answerOf(answer)).toEqual({ status: 201, body: { invited: 2, accepted: 0 } });
    expect(answer.headers.get("Location")).toBeNull();
    expect(await invitationTo(administrator, one)).toMatchObject({
      email: one,
      full_name: "Maria Silva",
      apartment_number: "2B",
      spots: [],
      status: "open",
      inviter_id: administrator.id,
      profile_id: null,
      accepted_at: null,
    });
    expect((await invitationTo(administrator, other)).spots).toEqual(numbers.map(spotNumbered));
  });

  it("takes 500, each with spots and long names, and not one more", async () => {
    const list = Array.from({ length: 500 }, (_, i) => ({
      ...invited(newAddress(), newNumber(), newNumber()),
      full_name: `Ödön Übermäßig-Großherzog von und zu ${i}`,
    }));
    expect(JSON.stringify(list).length).toBeGreaterThan(100 * 1024);
    expect(await inviting(...list)).toEqual({
      status: 201,
      body: { invited: 500, accepted: 0 },
    });
    const one = invited(newAddress());
    expect(complaint(await invite(administrator, ...list, one))).toEqual(malformed("invitations"));
    expect(complaint(await invite(administrator))).toEqual(malformed("invitations"));
  });

  it.each<[string, object, string]>([
    ["no address", { apartment_number: "1" }, "email"],
    ["no apartment", { email: newAddress() }, "apartment_number"],
    ["an empty apartment", { email: newAddress(), apartment_number: "  " }, "apartment_number"],
    ["a long name", { ...invited(newAddress()), full_name: "x".repeat(201) }, "full_name"],
    ["an unknown field", { ...invited(newAddress()), is_admin: true }, "is_admin"],
    ["an unknown person", { ...invited(newAddress()), inviter_id: "x" }, "inviter_id"],
    ["no list of spots", { ...invited(newAddress()), spots: "A-1" }, "spots"],
    [
      "a spot without a section",
      { ...invited(newAddress()), spots: [{ spot_number: "A-1" }] },
      "spots/0/building_section",
    ],
    [
      "a spot that says that it is registered",
      { ...invited(newAddress()), spots: [{ ...spotNumbered("A-1"), spot_id: "x" }] },
      "spots/0/spot_id",
    ],
  ])("refuses a list with %s, and says where", async (_what, wrong, field) => {
    const before = await count();
    expect(complaint(await invite(administrator, invited(newAddress()), wrong))).toEqual(
      malformed(`invitations/1/${field}`),
    );
    expect(await count()).toBe(before);
  });

  it("refuses an address that is none, twice in the list, or invited already, and says where", async () => {
    const [known, twice] = [newAddress(), newAddress()];
    await inviting(invited(known));
    const before = await count();

    const already = "This address has been invited already";
    expect(
      await inviting(
        invited(twice),
        invited(newAddress()),
        invited(twice.toUpperCase()),
        invited(known),
      ),
    ).toEqual({
      status: 409,
      body: {
        error: already,
        details: {
          "invitations/2/email": { _errors: [already] },
          "invitations/3/email": { _errors: [already] },
        },
      },
    });
    const none = "email must be an address of at most 320 characters";
    expect(await inviting(invited(newAddress()), invited("nobody"))).toEqual({
      status: 400,
      body: { error: none, details: { "invitations/1/email": { _errors: [none] } } },
    });
    expect(await count()).toBe(before);
  });

  it("refuses a spot that is in another invitation, and says where", async () => {
    const number = newNumber();
    const error = "A parking spot can be in one open invitation, and once";
    expect(
      await inviting(
        invited(newAddress(), number),
        invited(newAddress()),
        invited(newAddress(), number.toLowerCase()),
      ),
    ).toEqual({
      status: 409,
      body: { error, details: { "invitations/2/spots": { _errors: [error] } } },
    });
  });

  it("approves who has registered with the confirmed address already", async () => {
    const person = await building.unapproved();
    const mine = await person.get<{ profile: { is_approved: boolean } }>("/profile", 200);
    expect(mine.body.profile.is_approved).toBe(false);
    const number = newNumber();
    expect(await inviting(invited(person.email.toUpperCase(), number))).toEqual({
      status: 201,
      body: { invited: 1, accepted: 1 },
    });
    expect(await invitationTo(administrator, person.email)).toMatchObject({
      status: "accepted",
      profile_id: person.id,
    });
    const { body } = await person.get<{ spots: { is_verified: boolean }[] }>(
      `/parking-spots?owner_id=${person.id}`,
      200,
    );
    expect(body.spots).toMatchObject([{ spot_number: number, is_verified: true }]);
  });

  it("verifies a spot that the person has registered already", async () => {
    const spot = await spotOf(resident);
    await inviting(invited(resident.email, spot.spot_number.toLowerCase()));
    expect(await invitationTo(administrator, resident.email)).toMatchObject({
      status: "accepted",
      spots: [{ spot_id: spot.id }],
    });
    const { body } = await resident.get<{ spot: object }>(`/parking-spots/${spot.id}`, 200);
    expect(body.spot).toMatchObject({ spot_number: spot.spot_number, is_verified: true });
  });
});

describe("POST /admin/invitations/preview", () => {
  const trying = (...invitations: readonly object[]) =>
    administrator.post("/admin/invitations/preview", { invitations });

  it("says what would be made, and makes nothing", async () => {
    const person = await building.unapproved();
    const before = await count();
    const list = [invited(newAddress(), newNumber()), invited(person.email)];
    expect(answerOf(await trying(...list))).toEqual({
      status: 200,
      body: { invited: 2, accepted: 1 },
    });
    expect(await count()).toBe(before);
    const { body } = await person.get<Account>("/profile", 200);
    expect(body.profile.is_approved).toBe(false);
    expect(await inviting(...list)).toEqual({ status: 201, body: { invited: 2, accepted: 1 } });
  });

  it("refuses what the endpoint refuses, to the letter", async () => {
    const number = newNumber();
    const known = newAddress();
    await inviting(invited(known, number));
    const rowsOf = (wrong: object) => [invited(newAddress()), wrong, invited(newAddress()), wrong];
    for (const wrong of [
      { ...invited(newAddress()), full_name: "a\nb" },
      invited("a\u200b@x.example"),
      invited("Carla <a@x.example>"),
      invited("a@x.example;"),
      invited(known),
      invited(newAddress(), number),
      { email: newAddress() },
    ]) {
      const tried = await trying(...rowsOf(wrong));
      const answer = await invite(administrator, ...rowsOf(wrong));
      expect(answerOf(tried)).toEqual(answerOf(answer));
      expect(tried.headers.get("X-Error-Code")).toBe(answer.headers.get("X-Error-Code"));
      expect(Object.keys(tried.body.details ?? {}).map((it) => it.split("/")[1])).toEqual([
        "1",
        "3",
      ]);
    }
  });
});

it("GET /admin/invitations filters by state and by address, ignoring case", async () => {
  const [open, used] = [newAddress(), newAddress()];
  await inviting(invited(open), invited(used));
  await registers(building, used);
  const found = async (query: string) => {
    const path = `/admin/invitations?limit=200&${query}`;
    const { body } = await administrator.get<{ invitations: { email: string }[] }>(path, 200);
    return body.invitations.map(({ email }) => email);
  };
  expect(await found(`email=${open.toUpperCase()}`)).toEqual([open]);
  expect(await found(`email=${used}&status=open`)).toEqual([]);
  expect(await found(`email=${used}&status=accepted`)).toEqual([used]);
  expect(await found("status=accepted")).toContain(used);
  expect(await found("status=lapsed")).not.toContain(open);
  expect(complaint(await administrator.get("/admin/invitations?status=lost"))).toEqual(
    malformed("status"),
  );
});

describe("GET /profile/invitation", () => {
  const read = async (claims: Readonly<Record<string, unknown>>) =>
    answerOf(
      await askWith(
        building,
        { sub: randomUUID(), ...claims },
        "GET",
        undefined,
        "/api/profile/invitation",
      ),
    );
  const none = { status: 200, body: { invitation: null } };

  it("has what an administrator wrote, for the confirmed address alone", async () => {
    const email = newAddress();
    await inviting({ ...invited(email, "Own-1"), full_name: "Maria Silva" });
    expect(await read({ email: email.toUpperCase(), email_verified: true })).toEqual({
      status: 200,
      body: {
        invitation: {
          full_name: "Maria Silva",
          apartment_number: "2B",
          spots: [spotNumbered("Own-1")],
        },
      },
    });
    expect(await read({ email })).toEqual(none);
    expect(await read({ email: newAddress(), email_verified: true })).toEqual(none);
    expect(await read({})).toEqual(none);
  });
});

describe("an invitation", () => {
  it("is deleted by any administrator, and then approves nobody", async () => {
    const email = newAddress();
    await inviting(invited(email));
    const { id } = await invitationTo(administrator, email);
    const path = `/admin/invitations/${id}`;
    expect(answerOf(await resident.delete(path))).toEqual(privilegesRequired);

    const other = await building.administrator();
    expect(answerOf(await other.delete(path))).toEqual({
      status: 200,
      body: { message: "Invitation deleted successfully", deleted_invitation_id: id },
    });
    expect(answerOf(await other.delete(path))).toEqual(refusal(404, "Invitation not found"));
    expect(await registers(building, email)).toMatchObject({ isApproved: false });
  });

  it("stays once it was accepted", async () => {
    const email = newAddress();
    await inviting(invited(email));
    await registers(building, email);
    const { id } = await invitationTo(administrator, email);
    expect(answerOf(await administrator.delete(`/admin/invitations/${id}`))).toEqual(
      refusal(409, "This invitation was accepted; take the approval of the account back instead"),
    );
  });
});
