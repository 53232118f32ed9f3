import { beforeAll, describe, expect, it } from "@jest/globals";
import { ask } from "../graphql/ask.ts";
import { answerOf } from "../support/answers.ts";
import { type Holding, holding, useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";

const building = useBuilding();
let held: Holding;
beforeAll(async () => {
  held = await holding(building);
  const phone_number = "+49 111";
  await held.owner.put(
    "/profile",
    { full_name: "Olga", phone_number, shares_phone_number: true },
    200,
  );
  await held.claimer.put("/profile", { full_name: "Clara", phone_number }, 200);
});

const owner = {
  role: "owner",
  full_name: "Olga",
  apartment_number: "1A",
  phone_number: "+49 111",
};
const claimer = { role: "claimer", full_name: "Clara", apartment_number: "1A", phone_number: null };

const contactsFor = async (person: Person, id = held.claim.id) =>
  answerOf(await person.get(`/claims/${id}/contacts`));

describe("GET /claims/{id}/contacts", () => {
  it("shows the owner and the claimer each other", async () => {
    expect(await contactsFor(held.claimer)).toEqual({ status: 200, body: { contact: owner } });
    expect(await contactsFor(held.owner)).toEqual({ status: 200, body: { contact: claimer } });
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
