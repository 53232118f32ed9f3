import { beforeAll, describe, expect, it } from "@jest/globals";
import { holding, offer, useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { ask, send } from "./ask.ts";

const building = useBuilding();
let administrator: Person;
beforeAll(async () => {
  administrator = await building.administrator();
});

const cancel = `mutation ($id: UUID!, $reason: String!) {
  cancelClaim(input: { id: $id, status: "cancelled", reason: $reason }) { claim { status } } }`;
const removeSpot = `mutation ($id: UUID!, $reason: String!) {
  removeSpot(input: { id: $id, reason: $reason }) { deletedSpotId } }`;
const removeAvailability = `mutation ($id: UUID!, $reason: String!) {
  removeAvailability(input: { id: $id, reason: $reason }) { deletedAvailabilityId } }`;
const eraseProfile = `mutation ($id: UUID!, $reason: String!) {
  eraseProfile(input: { id: $id, reason: $reason }) { message deletedProfileId } }`;

describe("an administrator", () => {
  it("cancels a claim, then removes its window and its spot", async () => {
    const { spot, window, claim } = await holding(building);
    const act = (document: string, id: string) =>
      ask(building, administrator, document, { id, reason: "Repairs" });

    expect(await act(cancel, claim.id)).toEqual({
      cancelClaim: { claim: { status: "cancelled" } },
    });
    expect(await act(removeAvailability, window.id)).toEqual({
      removeAvailability: { deletedAvailabilityId: window.id },
    });
    expect(await act(removeSpot, spot.id)).toEqual({ removeSpot: { deletedSpotId: spot.id } });
  });

  it("erases a person", async () => {
    const { id } = await building.resident();
    const variables = { id, reason: "They moved out" };
    expect(await ask(building, administrator, eraseProfile, variables)).toEqual({
      eraseProfile: { message: "Personal data erased successfully", deletedProfileId: id },
    });
  });

  it("must give a reason", async () => {
    const { spot } = await offer(building);
    const { body } = await send(building, administrator, removeSpot, { id: spot.id, reason: " " });
    expect(body.errors).toMatchObject([
      { message: "Validation failed", extensions: { status: 400, details: { reason: {} } } },
    ]);
  });
});
