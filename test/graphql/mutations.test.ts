import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { claimOf, hours, spotOf, useBuilding, type Window, windowOf } from "../support/building.ts";
import { dayAfter, threeDays } from "../support/patterns.ts";
import type { Person } from "../support/person.ts";
import { ask } from "./ask.ts";

const building = useBuilding();
let owner: Person;
let claimer: Person;
let administrator: Person;
beforeAll(async () => {
  owner = await building.resident();
  claimer = await building.resident();
  administrator = await building.administrator();
});

const freshWindow = async (): Promise<Window> => windowOf(owner, await spotOf(owner));
const freshClaim = async () => claimOf(claimer, await freshWindow());
const inputOf = (window: Window) => ({
  availabilityId: window.id,
  startTime: window.start_time,
  endTime: window.end_time,
});

/** The payload of a mutation that must succeed. */
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

describe("a mutation does what its endpoint does", () => {
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

  it("createPattern, updatePattern, deletePattern", async () => {
    const { id: spotId } = await spotOf(owner);
    const { first_day: firstDay, weekdays } = threeDays({ id: spotId });
    const times = { weekdays, startsAt: "18:00", endsAt: "08:00", firstDay };
    const selection = "{ pattern { id weekdays startsAt endsAt firstDay lastDay spot { id } } }";
    const { pattern } = await mutate<{ pattern: { id: string } }>(
      owner,
      "createPattern",
      { spotId, ...times, lastDay: dayAfter(5) },
      selection,
    );
    const { id } = pattern;
    expect(pattern).toEqual({ id, ...times, lastDay: dayAfter(5), spot: { id: spotId } });

    expect(await mutate(owner, "updatePattern", { id, lastDay: null }, selection)).toEqual({
      pattern: { id, ...times, lastDay: null, spot: { id: spotId } },
    });
    const windows = "{ availabilities(first: 1) { nodes { pattern { id } } } }";
    expect(await ask(building, owner, `{ spot(id: "${spotId}") ${windows} }`)).toEqual({
      spot: { availabilities: { nodes: [{ pattern: { id } }] } },
    });
    expect(
      await mutate(
        owner,
        "deletePattern",
        { id },
        "{ message deletedPatternId claimedAvailabilityIds }",
      ),
    ).toEqual({
      message: "Pattern deleted successfully",
      deletedPatternId: id,
      claimedAvailabilityIds: [],
    });
  });

  it("createClaim, updateClaim, deleteClaim: shows the rows as the mutation left them", async () => {
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

  it("runs after the one before it, and sees its result", async () => {
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
