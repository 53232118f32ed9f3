import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  type Building,
  claimOf,
  hours,
  openBuilding,
  spotOf,
  type Window,
  windowOf,
} from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { ask, type GraphQLFailure, send } from "./ask.ts";

let building: Building;
let owner: Person;
let claimer: Person;
let administrator: Person;
beforeAll(async () => {
  building = await openBuilding();
  owner = await building.resident();
  claimer = await building.resident();
  administrator = await building.administrator();
});
afterAll(() => building.close());

const freshWindow = async (): Promise<Window> => windowOf(owner, await spotOf(owner));
const freshClaim = async () => claimOf(claimer, await freshWindow());
const inputOf = (window: Window) => ({
  availabilityId: window.id,
  startTime: window.start_time,
  endTime: window.end_time,
});

/** Does one mutation that is to succeed, and gives its payload. */
async function mutate<Payload>(
  person: Person,
  name: string,
  input: object,
  selection: string,
): Promise<Payload> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`;
  const document = `mutation ($input: ${type}) { payload: ${name}(input: $input) ${selection} }`;
  const { payload } = await ask<{ payload: Payload }>(building, person, document, { input });
  return payload;
}

/** The one error of a mutation that is to be refused. */
async function refusalOf(
  person: Person,
  name: string,
  input: object,
): Promise<GraphQLFailure | undefined> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`;
  const document = `mutation ($input: ${type}) { payload: ${name}(input: $input) { __typename } }`;
  const { status, body } = await send(building, person, document, { input });
  expect(status).toBe(200);
  expect(body.data).toEqual({ payload: null });
  expect(body.errors).toHaveLength(1);
  return body.errors?.[0];
}

describe("mutations do what the endpoints do", () => {
  it("createProfile, updateProfile: registers, also before approval", async () => {
    const newcomer = await building.newcomer();
    const selection = "{ profile { id apartmentNumber fullName isApproved } }";

    expect(
      await mutate(newcomer, "createProfile", { apartmentNumber: "7", fullName: "N" }, selection),
    ).toEqual({
      profile: { id: newcomer.id, apartmentNumber: "7", fullName: "N", isApproved: false },
    });
    expect(await mutate(newcomer, "updateProfile", { fullName: null }, selection)).toEqual({
      profile: { id: newcomer.id, apartmentNumber: "7", fullName: null, isApproved: false },
    });
  });

  it("updateProfileFlags: approves", async () => {
    const { id } = await building.unapproved();

    expect(
      await mutate(
        administrator,
        "updateProfileFlags",
        { id, isApproved: true },
        "{ profile { id isApproved isAdmin } }",
      ),
    ).toEqual({ profile: { id, isApproved: true, isAdmin: false } });
  });

  it("createSpot, updateSpot, verifySpot, deleteSpot", async () => {
    const selection = "{ spot { id spotNumber buildingSection isVerified owner { id } } }";
    const spotNumber = randomUUID().slice(0, 8);
    const { spot } = await mutate<{ spot: { id: string } }>(
      owner,
      "createSpot",
      { spotNumber, buildingSection: "East" },
      selection,
    );
    const { id } = spot;
    const first = { id, spotNumber, buildingSection: "East", isVerified: false };
    expect(spot).toEqual({ ...first, owner: { id: owner.id } });

    expect(await mutate(owner, "updateSpot", { id, buildingSection: "West" }, selection)).toEqual({
      spot: { ...first, buildingSection: "West", owner: { id: owner.id } },
    });
    expect(
      await mutate(
        administrator,
        "verifySpot",
        { id, isVerified: true },
        "{ spot { isVerified } }",
      ),
    ).toEqual({ spot: { isVerified: true } });
    expect(await mutate(owner, "deleteSpot", { id }, "{ message deletedSpotId }")).toEqual({
      message: "Parking spot deleted successfully",
      deletedSpotId: id,
    });
  });

  it("createAvailability, updateAvailability, deleteAvailability", async () => {
    const { id: spotId } = await spotOf(owner);
    const selection = "{ availability { id startTime endTime isClaimed spot { id } } }";
    const { availability } = await mutate<{ availability: { id: string } }>(
      owner,
      "createAvailability",
      { spotId, startTime: hours(1), endTime: hours(5) },
      selection,
    );
    const { id } = availability;
    const first = { id, startTime: hours(1), endTime: hours(5), isClaimed: false };
    expect(availability).toEqual({ ...first, spot: { id: spotId } });

    expect(await mutate(owner, "updateAvailability", { id, endTime: hours(4) }, selection)).toEqual(
      { availability: { ...first, endTime: hours(4), spot: { id: spotId } } },
    );
    expect(
      await mutate(owner, "deleteAvailability", { id }, "{ message deletedAvailabilityId }"),
    ).toEqual({ message: "Availability deleted successfully", deletedAvailabilityId: id });
  });

  it("createClaim, updateClaim, deleteClaim: what is shown is what the mutation left", async () => {
    const window = await freshWindow();
    const selection = "{ claim { id status availability { isClaimed } } }";
    const { claim } = await mutate<{ claim: { id: string } }>(
      claimer,
      "createClaim",
      inputOf(window),
      selection,
    );
    const { id } = claim;
    expect(claim).toEqual({ id, status: "active", availability: { isClaimed: true } });

    expect(await mutate(claimer, "updateClaim", { id, status: "cancelled" }, selection)).toEqual({
      claim: { id, status: "cancelled", availability: { isClaimed: false } },
    });
    expect(await mutate(claimer, "deleteClaim", { id }, "{ message deletedClaimId }")).toEqual({
      message: "Claim cancelled successfully",
      deletedClaimId: id,
    });
  });

  it("updateNotification", async () => {
    await freshClaim();
    const { notifications } = await ask<{ notifications: { nodes: { id: string }[] } }>(
      building,
      owner,
      "{ notifications(first: 1) { nodes { id } } }",
    );
    const id = notifications.nodes[0]?.id;

    expect(
      await mutate(
        owner,
        "updateNotification",
        { id, isRead: true },
        "{ notification { id isRead } }",
      ),
    ).toEqual({ notification: { id, isRead: true } });
  });

  it("one after the other, each seeing what the one before has left", async () => {
    const { id } = await freshClaim();

    expect(
      await ask(
        building,
        claimer,
        `mutation ($id: UUID!) {
           a: updateClaim(input: { id: $id }) { claim { status } }
           b: updateClaim(input: { id: $id, status: "cancelled" }) { claim { status } }
           c: deleteClaim(input: { id: $id }) { deletedClaimId }
         }`,
        { id },
      ),
    ).toEqual({
      a: { claim: { status: "active" } },
      b: { claim: { status: "cancelled" } },
      c: { deletedClaimId: id },
    });
  });
});

describe("what is refused is refused in the words of REST, under the rule's name", () => {
  it("a rule", async () => {
    expect(await refusalOf(owner, "createClaim", inputOf(await freshWindow()))).toMatchObject({
      message: "You cannot claim your own parking spot",
      path: ["payload"],
      extensions: { code: "claims_not_by_owner", status: 403 },
    });
  });

  it("a rule about a field", async () => {
    const { id: availabilityId } = await freshWindow();
    const times = { startTime: hours(3), endTime: hours(2) };

    expect(await refusalOf(claimer, "createClaim", { availabilityId, ...times })).toMatchObject({
      message: "end_time must be after start_time",
      extensions: {
        code: "claims_start_before_end",
        status: 400,
        details: { end_time: { _errors: ["end_time must be after start_time"] } },
      },
    });
  });

  it("a window that is claimed", async () => {
    const window = await freshWindow();
    await claimOf(claimer, window);

    expect(await refusalOf(administrator, "createClaim", inputOf(window))).toMatchObject({
      message: "This availability has already been claimed",
      extensions: { code: "claims_one_per_availability", status: 400 },
    });
  });

  it("a row that is not there", async () => {
    expect(await refusalOf(claimer, "deleteClaim", { id: randomUUID() })).toMatchObject({
      message: "Claim not found",
      extensions: { code: "not_found", status: 404 },
    });
  });

  it("a number that is taken", async () => {
    const { spot_number: spotNumber } = await spotOf(owner);

    expect(
      await refusalOf(claimer, "createSpot", { spotNumber, buildingSection: "North" }),
    ).toMatchObject({
      message: "A parking spot with this number already exists",
      extensions: { code: "spots_spot_number_is_unique", status: 409 },
    });
  });

  it("an account without the privileges", async () => {
    const { id } = await spotOf(owner);

    expect(await refusalOf(owner, "verifySpot", { id, isVerified: true })).toMatchObject({
      message: "Administrator privileges required",
      extensions: { code: "administrator_required", status: 403 },
    });
  });

  it("an account that is not approved", async () => {
    const input = { spotNumber: "U-1", buildingSection: "North" };

    expect(await refusalOf(await building.unapproved(), "createSpot", input)).toMatchObject({
      message: "Account not approved",
      extensions: { code: "approved_account_required", status: 403 },
    });
  });

  it("a form, before the account is looked at", async () => {
    const input = { spotNumber: " ", buildingSection: "x".repeat(101) };

    expect(await refusalOf(await building.unapproved(), "createSpot", input)).toMatchObject({
      message: "Validation failed",
      extensions: {
        code: "validation_failed",
        status: 400,
        details: {
          spot_number: { _errors: [expect.any(String)] },
          building_section: { _errors: [expect.any(String)] },
        },
      },
    });
  });

  it("a time without an offset, or no time at all", async () => {
    const { id } = await freshClaim();

    for (const startTime of ["2027-01-01", "2027-01-01T10:00:00", "now", 5, null]) {
      const answer = await send(
        building,
        claimer,
        "mutation ($input: UpdateClaimInput!) { updateClaim(input: $input) { claim { id } } }",
        { input: { id, startTime } },
      );
      expect(answer.body.errors).toMatchObject([{ extensions: { status: 400 } }]);
    }
  });

  it("and nothing comes of it", async () => {
    const window = await freshWindow();
    await refusalOf(owner, "createClaim", inputOf(window));

    expect(
      await building.rows("select from parking.claims where availability_id = $1", [window.id]),
    ).toHaveLength(0);
  });
});
