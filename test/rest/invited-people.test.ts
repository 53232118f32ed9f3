import { describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import {
  askWith,
  invitationTo,
  invite,
  invited,
  newAddress,
  newNumber,
  registers,
} from "../support/invitations.ts";

const building = useBuilding();
const administrator = building.shared("administrator");

/** Invites somebody new; resolves to their address. */
async function expected(...numbers: readonly string[]): Promise<string> {
  const email = newAddress();
  expect((await invite(administrator, invited(email, ...numbers))).status).toBe(201);
  return email;
}

const spotsOf = (owner: string) =>
  building.rows(
    `select spot_number, building_section, is_verified from parking.spots
      where owner_id = $1 order by spot_number`,
    [owner],
  );
const isApproved = async (id: string): Promise<boolean | undefined> => {
  const [row] = await building.rows<{ is_approved: boolean }>(
    "select is_approved from parking.profiles where id = $1",
    [id],
  );
  return row?.is_approved;
};
const notificationsOf = (id: string) =>
  building.rows<{ kind: string }>(
    "select kind, message from parking.notifications where recipient_id = $1 order by id",
    [id],
  );

describe("who registers with the confirmed address of an invitation", () => {
  it("is approved at once, and so are the spots", async () => {
    const numbers = [newNumber(), newNumber()].toSorted();
    const email = await expected(...numbers);
    const { sub, isApproved } = await registers(building, email.toUpperCase());

    expect(isApproved).toBe(true);
    expect(await spotsOf(sub)).toEqual(
      numbers.map((spot_number) => ({
        spot_number,
        building_section: "North",
        is_verified: true,
      })),
    );
    const invitation = await invitationTo(administrator, email);
    expect(invitation).toMatchObject({ status: "accepted", profile_id: sub });
    expect(invitation.spots).toEqual(
      invitation.spots.map((spot) => ({ ...spot, spot_id: expect.any(String) })),
    );
    // The invitation is used up.
    expect(await registers(building, email)).toMatchObject({ isApproved: false });
  });

  it("reads of it, and the log names the administrator", async () => {
    const number = newNumber();
    const { sub } = await registers(building, await expected(number));

    expect(await notificationsOf(sub)).toEqual([
      { kind: "profile.approved", message: "Your account was approved" },
      { kind: "spot.verified", message: `Your parking spot ${number} was verified` },
    ]);
    const events = await building.rows(
      `select e.type, e.actor_id as actor
         from private.events e
        where e.subject_id = $1 or e.data ->> 'owner_id' = $1::text
        order by e.id`,
      [sub],
    );
    expect(events).toEqual([
      { type: "profile.registered", actor: sub },
      { type: "profile.approved", actor: administrator.id },
      { type: "spot.registered", actor: administrator.id },
      { type: "spot.verified", actor: administrator.id },
    ]);
  });

  it("registers also where a spot is taken by then, and the administrator sees it", async () => {
    const neighbour = await building.resident();
    const [taken, free] = [newNumber(), newNumber()];
    const email = await expected(taken, free);
    await neighbour.post(
      "/parking-spots",
      { spot_number: taken.toLowerCase(), building_section: "North" },
      201,
    );

    const { sub, isApproved } = await registers(building, email);
    expect(isApproved).toBe(true);
    expect(await spotsOf(sub)).toMatchObject([{ spot_number: free, is_verified: true }]);
    expect((await invitationTo(administrator, email)).spots).toEqual([
      {
        spot_number: taken,
        building_section: "North",
        refused_by: "spots_spot_number_is_unique",
      },
      { spot_number: free, building_section: "North", spot_id: expect.any(String) },
    ]);
  });
});

describe("an address that is not confirmed", () => {
  it.each([{ email_verified: false }, {}, { email_verified: "true" }])(
    "approves nobody: %j",
    async (claims) => {
      const email = await expected(newNumber());
      const { sub, isApproved } = await registers(building, email, claims);
      expect(isApproved).toBe(false);
      expect(await spotsOf(sub)).toEqual([]);
      expect(await invitationTo(administrator, email)).toMatchObject({ status: "open" });
    },
  );

  const CONFIRMED = "2026-01-01T00:00:00Z";
  it.each([
    ["no address", { email_verified: true }],
    ["one that we do not take", { email: "maria", email_verified: true }],
    ["no address, and a time", { email_confirmed_at: CONFIRMED }],
    ["one that we do not take, and a time", { email: "maria", email_confirmed_at: CONFIRMED }],
  ])("is not the one that a later token confirms, with %s", async (_case, claims) => {
    const email = await expected(newNumber());
    const { sub } = await registers(building, email, { email_verified: false });

    const { body } = await askWith(building, { sub, ...claims }, "GET");
    expect(body.profile.is_approved).toBe(false);
    expect(await spotsOf(sub)).toEqual([]);
    expect(await invitationTo(administrator, email)).toMatchObject({ status: "open" });
  });

  it("counts from when it is confirmed, with the next request of the person", async () => {
    const email = await expected(newNumber());
    const { sub } = await registers(building, email, {});
    expect(await isApproved(sub)).toBe(false);

    const { body } = await askWith(building, { sub, email, email_verified: true }, "GET");
    expect(body.profile.is_approved).toBe(true);
    expect(await spotsOf(sub)).toMatchObject([{ is_verified: true }]);
  });
});

describe("an older invitation", () => {
  it("does not bring in again whom an administrator suspended", async () => {
    const email = await expected(newNumber());
    const { sub } = await registers(building, email, {});
    await administrator.put(`/admin/profiles/${sub}`, { is_approved: true }, 200);
    await administrator.put(`/admin/profiles/${sub}`, { is_approved: false }, 200);

    const { body } = await askWith(building, { sub, email, email_verified: true }, "GET");
    expect(body.profile.is_approved).toBe(false);
    expect(await spotsOf(sub)).toEqual([]);
  });

  it("approves nobody once its administrator is one no longer", async () => {
    const former = await building.administrator();
    const email = newAddress();
    await invite(former, invited(email));
    await administrator.put(`/admin/profiles/${former.id}`, { is_admin: false }, 200);

    expect(await registers(building, email)).toMatchObject({ isApproved: false });
    expect(await invitationTo(administrator, email)).toMatchObject({ status: "lapsed" });
  });
});

describe("a rule of the building", () => {
  it("that refuses the approval does not refuse the registration", async () => {
    const email = await expected();
    await building.rows(
      `create trigger full_house before update of is_approved on parking.profiles
         for each row when (new.is_approved) execute function private.enforce_rule()`,
    );
    try {
      expect(await registers(building, email)).toMatchObject({ status: 201, isApproved: false });
    } finally {
      await building.rows("drop trigger full_house on parking.profiles");
    }
    expect(await invitationTo(administrator, email)).toMatchObject({ status: "open" });
  });

  it("that refuses a spot is named in the invitation", async () => {
    const email = await expected(newNumber());
    await building.rows(
      `create trigger no_more_spots before insert on parking.spots
         for each row execute function private.enforce_rule('42501')`,
    );
    try {
      expect(await registers(building, email)).toMatchObject({ isApproved: true });
    } finally {
      await building.rows("drop trigger no_more_spots on parking.spots");
    }
    expect((await invitationTo(administrator, email)).spots).toMatchObject([
      { refused_by: "no_more_spots" },
    ]);
  });
});

describe("the erasure of a person", () => {
  const remains = (text: string) =>
    building.rows("select from parking.invitations i where i::text ilike '%' || $1 || '%'", [text]);

  it("takes the invitation along", async () => {
    const email = newAddress();
    await invite(administrator, { ...invited(email), full_name: "Xanthippe Listed" });
    const { sub } = await registers(building, email);

    await administrator.delete(`/admin/profiles/${sub}?reason=moved`, 200);
    expect(await remains(email)).toEqual([]);
    expect(await remains("Xanthippe")).toEqual([]);
  });

  it("ends the open invitations of an administrator", async () => {
    const former = await building.administrator();
    const email = newAddress();
    await invite(former, invited(email));
    await administrator.delete(`/admin/profiles/${former.id}?reason=moved`, 200);
    expect(await invitationTo(administrator, email)).toMatchObject({ status: "lapsed" });
  });
});
