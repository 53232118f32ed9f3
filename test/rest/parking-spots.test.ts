import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { answerOf, complaint, formatsOf, malformed, refusal } from "../support/answers.ts";
import { type Spot, spotOf, useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { backdateCreation, eventsOf, longAgo } from "../support/rows.ts";

const building = useBuilding();
let owner: Person;
let neighbour: Person;
let administrator: Person;
beforeAll(async () => {
  owner = await building.resident();
  neighbour = await building.resident();
  administrator = await building.administrator();
});

const freshNumber = (): string => `P-${randomUUID().slice(0, 8)}`;

const stored = async (id: string) => {
  const [spot] = await building.rows(
    "select spot_number, owner_id, building_section, is_verified from parking.spots where id = $1",
    [id],
  );
  return spot;
};

/** A spot of the owner that was verified, and last updated long ago. */
const verifiedSpot = async (): Promise<Spot> => {
  const { id } = await spotOf(owner);
  await administrator.put(`/admin/parking-spots/${id}`, { is_verified: true }, 200);
  await backdateCreation(building, "spots", { id });
  return (await owner.get<{ spot: Spot }>(`/parking-spots/${id}`, 200)).body.spot;
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

  it("answers with exactly the fields of Spot", async () => {
    expect(formatsOf(await spotOf(owner))).toEqual({
      id: "uuid",
      spot_number: "text",
      owner_id: "uuid",
      building_section: "text",
      is_verified: "boolean",
      created_at: "time",
      updated_at: "time",
    });
  });

  it.each([
    ["as it is", "x-1", "x-1"],
    ["in capitals", "x-2", "X-2"],
    ["in small letters", "Ä-3", "ä-3"],
    ["with white space around it", "x-4", "  x-4\t"],
  ])("refuses a number that is taken, written %s", async (_case, first, second) => {
    await owner.post("/parking-spots", { spot_number: first, building_section: "North" }, 201);

    const answer = await neighbour.post("/parking-spots", {
      spot_number: second,
      building_section: "South",
    });

    expect(answerOf(answer)).toEqual(
      refusal(409, "A parking spot with this number already exists"),
    );
    expect(
      await building.rows("select from parking.spots where lower(spot_number) = lower($1)", [
        first,
      ]),
    ).toHaveLength(1);
  });

  it.each([
    ["owner_id", randomUUID()],
    ["is_verified", true],
    ["id", randomUUID()],
  ])("does not let the caller set %s", async (field, value) => {
    const spotNumber = freshNumber();

    const answer = await owner.post("/parking-spots", {
      spot_number: spotNumber,
      building_section: "North",
      [field]: value,
    });

    expect(complaint(answer)).toEqual(malformed(field));
    expect(
      await building.rows("select from parking.spots where spot_number = $1", [spotNumber]),
    ).toEqual([]);
  });
});

describe("GET /parking-spots/{id}", () => {
  it("shows a spot to every approved resident", async () => {
    const spot = await spotOf(owner);

    for (const person of [owner, neighbour, administrator]) {
      expect(answerOf(await person.get(`/parking-spots/${spot.id}`))).toEqual({
        status: 200,
        body: { spot },
      });
    }
  });

  it("answers 404 for an unknown id", async () => {
    const answer = await owner.get(`/parking-spots/${randomUUID()}`);

    expect(answerOf(answer)).toEqual(refusal(404, "Parking spot not found"));
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

  it("changes nothing with an empty body", async () => {
    const before = await verifiedSpot();

    expect(answerOf(await owner.put(`/parking-spots/${before.id}`, {}))).toEqual({
      status: 200,
      body: { spot: before },
    });
    expect(before.updated_at).toBe(longAgo);
    expect(await eventsOf(building, before.id)).toHaveLength(2);
  });

  it.each([
    ["spot_number", freshNumber()],
    ["building_section", "Roof"],
  ])("clears the verification when %s changes", async (field, value) => {
    const { id } = await verifiedSpot();

    const { body } = await owner.put<{ spot: Spot }>(`/parking-spots/${id}`, { [field]: value });

    expect(body.spot.is_verified).toBe(false);
    expect(await stored(id)).toMatchObject({ [field]: value, is_verified: false });
  });

  it("keeps the verification when number and section are set to what they are", async () => {
    const { id, spot_number, building_section } = await verifiedSpot();

    await owner.put(`/parking-spots/${id}`, { spot_number, building_section }, 200);

    expect(await stored(id)).toMatchObject({ is_verified: true });
  });

  it("may change the case of its own number", async () => {
    const { id, spot_number } = await spotOf(owner);

    await owner.put(`/parking-spots/${id}`, { spot_number: spot_number.toLowerCase() }, 200);

    expect(await stored(id)).toMatchObject({ spot_number: spot_number.toLowerCase() });
  });

  it("refuses a number that another spot has", async () => {
    const [spot, other] = [await spotOf(owner), await spotOf(neighbour)];

    const answer = await owner.put(`/parking-spots/${spot.id}`, {
      spot_number: other.spot_number.toLowerCase(),
    });

    expect(answerOf(answer)).toEqual(
      refusal(409, "A parking spot with this number already exists"),
    );
    expect(await stored(spot.id)).toMatchObject({ spot_number: spot.spot_number });
  });

  it.each([
    ["a neighbour", () => neighbour, { building_section: "Roof" }],
    ["an administrator", () => administrator, { building_section: "Roof" }],
    ["a neighbour with an empty body", () => neighbour, {}],
    ["an administrator with an empty body", () => administrator, {}],
  ])("is refused to %s", async (_case, someone, change) => {
    const spot = await spotOf(owner);

    const answer = await someone().put(`/parking-spots/${spot.id}`, change);

    expect(answerOf(answer)).toEqual(refusal(403, "You can only update your own parking spots"));
    expect(await stored(spot.id)).toMatchObject({ building_section: spot.building_section });
  });

  it.each(["owner_id", "is_verified"])("does not change %s", async (field) => {
    const { id } = await spotOf(owner);
    const before = await stored(id);
    const value = field === "owner_id" ? neighbour.id : true;

    const answer = await owner.put(`/parking-spots/${id}`, { [field]: value });

    expect(complaint(answer)).toEqual(malformed(field));
    expect(await stored(id)).toEqual(before);
  });

  it.each([{}, { building_section: "Roof" }])(
    "answers 404 for an unknown id: %j",
    async (change) => {
      const answer = await owner.put(`/parking-spots/${randomUUID()}`, change);

      expect(answerOf(answer)).toEqual(refusal(404, "Parking spot not found"));
    },
  );
});
