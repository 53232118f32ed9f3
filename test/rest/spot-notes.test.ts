import { beforeEach, describe, expect, it } from "@jest/globals";
import { ask } from "../graphql/ask.ts";
import { answerOf, refusal } from "../support/answers.ts";
import { type Holding, holding, useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";

const building = useBuilding();
let held: Holding;
beforeEach(async () => {
  held = await holding(building);
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
