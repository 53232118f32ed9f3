import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { type Spot, spotOf, useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { backdateCreation, eventsOf, longAgo } from "../support/rows.ts";

const building = useBuilding();
let owner: Person;
beforeAll(async () => {
  owner = await building.resident();
});

const freshNumber = (): string => `P-${randomUUID().slice(0, 8)}`;

const stored = async (id: string) => {
  const [spot] = await building.rows(
    "select spot_number, owner_id, building_section, is_verified from parking.spots where id = $1",
    [id],
  );
  return spot;
};

describe("POST /parking-spots", () => {
  it("registers the spot as the caller's, not verified", async () => {
    const facts = { spot_number: freshNumber(), building_section: "Level -1" };

    const { status, body } = await owner.post<{ spot: Spot }>("/parking-spots", facts);

    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(["spot"]);
    expect(body.spot).toMatchObject({ ...facts, owner_id: owner.id, is_verified: false });
    expect(await stored(body.spot.id)).toEqual({
      ...facts,
      owner_id: owner.id,
      is_verified: false,
    });
    expect(await eventsOf(building, body.spot.id)).toEqual([
      { type: "spot.registered", actor_id: owner.id },
    ]);
  });
});

describe("PUT /parking-spots/{id}", () => {
  it.each([
    ["spot_number", freshNumber()],
    ["building_section", "Roof"],
  ])("changes %s alone and refreshes updated_at", async (field, value) => {
    const before = await spotOf(owner);
    await backdateCreation(building, "spots", before);

    const { body } = await owner.put<{ spot: Spot }>(
      `/parking-spots/${before.id}`,
      { [field]: value },
      200,
    );

    expect(body.spot).toEqual({
      ...before,
      [field]: value,
      created_at: longAgo,
      updated_at: expect.any(String),
    });
    expect(body.spot.updated_at).not.toBe(longAgo);
    expect(await stored(before.id)).toMatchObject({ [field]: value });
    expect(await eventsOf(building, before.id)).toEqual([
      { type: "spot.registered", actor_id: owner.id },
      { type: "spot.updated", actor_id: owner.id },
    ]);
  });
});
