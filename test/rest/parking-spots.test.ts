import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { ask } from "../graphql/ask.ts";
import { answerOf, refusal } from "../support/answers.ts";
import { type Holding, holding, type Spot, spotOf, useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { backdateCreation, eventsOf, longAgo } from "../support/rows.ts";

const building = useBuilding();
const owner = building.shared("resident");
let held: Holding;
beforeEach(async () => {
  held = await holding(building);
});

const freshNumber = (): string => `P-${randomUUID().slice(0, 8)}`;

const stored = async (id: string) => {
  const [spot] = await building.rows(
    "select spot_number, owner_id, building_section, is_verified from parking.spots where id = $1",
    [id],
  );
  return spot;
};

it("POST /parking-spots registers the spot as the caller's, not verified", async () => {
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

it.each([
  ["spot_number", freshNumber()],
  ["building_section", "Roof"],
])("PUT /parking-spots/{id} changes %s alone and refreshes updated_at", async (field, value) => {
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

describe("the notes of a spot", () => {
  const notes = "2.30 m wide";
  const change = (body: object) => held.owner.put(`/parking-spots/${held.spot.id}`, body, 200);
  const seenBy = async ({ get }: Person) =>
    (await get<{ spot: object }>(`/parking-spots/${held.spot.id}`, 200)).body.spot;

  it("are read by all residents, and stay when something else is changed", async () => {
    await change({ notes });
    await change({ building_section: "South" });
    for (const person of [held.claimer, await building.resident()]) {
      expect(await seenBy(person)).toMatchObject({ notes, building_section: "South" });
    }
  });

  it("leave the spot verified", async () => {
    const administrator = await building.administrator();
    const path = `/admin/parking-spots/${held.spot.id}`;
    await administrator.put(path, { is_verified: true }, 200);
    await change({ notes });
    expect(await seenBy(held.owner)).toMatchObject({ is_verified: true, notes });
  });

  it("are cleared by null, and then are not there", async () => {
    await change({ notes });
    await change({ notes: null });
    expect(await seenBy(held.owner)).not.toHaveProperty("notes");
  });
});

describe("/parking-spots/{id}/access", () => {
  const access_notes = "Code 4711";
  const path = () => `/parking-spots/${held.spot.id}/access`;
  const contact = async ({ get }: Person) =>
    (await get<{ contact: object }>(`/claims/${held.claim.id}/contacts`, 200)).body.contact;

  it("is written by the owner, who reads it, as administrators do", async () => {
    const none = await held.owner.get(path(), 200);
    expect(none.body).toEqual({ access: { access_notes: null } });

    const written = await held.owner.put(path(), { access_notes }, 200);

    expect(written.body).toEqual({ access: { access_notes } });
    for (const { get } of [held.owner, await building.administrator()]) {
      expect((await get(path(), 200)).body).toEqual({ access: { access_notes } });
    }
  });

  it("is not there for others; the claimer finds it among the contacts of the claim", async () => {
    await held.owner.put(path(), { access_notes }, 200);
    for (const person of [held.claimer, await building.resident()]) {
      expect(answerOf(await person.get(path()))).toEqual(refusal(404, "Access notes not found"));
    }
    expect(await contact(held.claimer)).toMatchObject({ role: "owner", access_notes });
    expect(await contact(held.owner)).not.toHaveProperty("access_notes");
  });
});

describe("access notes in GraphQL", () => {
  const of = (person: Person) =>
    ask(
      building,
      person,
      `query ($spot: UUID!, $claim: UUID!) {
         spot(id: $spot) { access { accessNotes } }
         claim(id: $claim) { contact { accessNotes } }
         spots { nodes { access { accessNotes } } }
       }`,
      { spot: held.spot.id, claim: held.claim.id },
    );

  it("are what REST shows", async () => {
    await held.owner.put(
      `/parking-spots/${held.spot.id}/access`,
      { access_notes: "Code 4711" },
      200,
    );

    expect(await of(held.owner)).toMatchObject({
      spot: { access: { accessNotes: "Code 4711" } },
      claim: { contact: { accessNotes: null } },
    });
    expect(await of(held.claimer)).toMatchObject({
      spot: { access: null },
      claim: { contact: { accessNotes: "Code 4711" } },
    });
    expect(JSON.stringify(await of(await building.resident()))).not.toContain("4711");
  });
});

describe("GET /claims/{id}/contacts", () => {
  it("shows the owner and the claimer each other, and the phone number of who shares it", async () => {
    const phone_number = "+49 111";
    await held.owner.put(
      "/profile",
      { full_name: "Olga", phone_number, shares_phone_number: true },
      200,
    );
    await held.claimer.put("/profile", { full_name: "Clara", phone_number }, 200);
    const contactFor = async (person: Person) =>
      (await person.get(`/claims/${held.claim.id}/contacts`, 200)).body;
    const apartment_number = "1A";
    expect(await contactFor(held.claimer)).toEqual({
      contact: { role: "owner", full_name: "Olga", apartment_number, phone_number },
    });
    expect(await contactFor(held.owner)).toEqual({
      contact: { role: "claimer", full_name: "Clara", apartment_number, phone_number: null },
    });
    const stranger = await building.resident();
    expect(answerOf(await stranger.get(`/claims/${held.claim.id}/contacts`))).toEqual(
      refusal(404, "Contact not found"),
    );
  });
});

describe("shares_phone_number", () => {
  const profileOf = async (person: Person) =>
    (await person.get<{ profile: object }>("/profile", 200)).body.profile;

  it("is shown where it is true, and is not there where it is false", async () => {
    const person = await building.resident();
    expect(await profileOf(person)).not.toHaveProperty("shares_phone_number");

    await person.put("/profile", { shares_phone_number: true }, 200);
    expect(await profileOf(person)).toMatchObject({ shares_phone_number: true });
    await person.put("/profile", { full_name: "Eve" }, 200);
    expect(await profileOf(person)).toMatchObject({ shares_phone_number: true });

    await person.put("/profile", { shares_phone_number: false }, 200);
    expect(await profileOf(person)).not.toHaveProperty("shares_phone_number");
  });

  it("may be given at registration, and is always there in GraphQL", async () => {
    const person = await building.newcomer();
    const profile = { apartment_number: "1A", shares_phone_number: true };
    const { body } = await person.post<{ profile: object }>("/profile", profile, 201);
    expect(body.profile).toMatchObject(profile);
    expect(await ask(building, person, "{ ownProfile { sharesPhoneNumber } }")).toEqual({
      ownProfile: { sharesPhoneNumber: true },
    });
  });
});
